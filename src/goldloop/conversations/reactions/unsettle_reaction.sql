-- Takes back what a person said about a machine reaction (p_rn is the name it got from that): it waits for a person again,
-- as it did before. What counted stays as a row of its own (p_copy) until now, so that a report that was begun before holds.
-- `reopened` with its event, `waiting` (nothing to take back any more), `absent` (no such reaction), `never` (nobody settled
-- it) or `otherwise` (it was settled anew meanwhile).
CREATE FUNCTION unsettle_reaction(
    p_id uuid, p_rn text, p_text text, p_payload jsonb, p_copy uuid, p_event uuid,
    p_feedback_event uuid, OUT outcome text, OUT event jsonb, OUT feedback jsonb
)
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    settled record;
    moment timestamptz;
BEGIN
    SELECT m.project, m.state, m.reaction, m.confidence, m.end_user, m.source_conversation_id, m.source_turn_id, m.payload
    INTO settled
    FROM public.conv_messages m WHERE m.tenant_id = tenant AND m.id = p_id AND m.origin = 'machine' FOR UPDATE;
    outcome := CASE WHEN NOT FOUND THEN 'absent' WHEN settled.state = 'unsettled' THEN 'waiting'
        WHEN settled.payload #>> '{gate,settled_by}' IS NULL OR settled.state NOT IN ('active', 'dismissed') THEN 'never'
        WHEN settled.payload #>> '{meta,rn}' <> p_rn THEN 'otherwise' END;
    IF outcome IS NOT NULL THEN
        RETURN;
    END IF;
    outcome := 'reopened';
    moment := clock_timestamp();
    INSERT INTO public.conv_messages (tenant_id, id, project, conversation_id, turn_id, role, kind, tags, text, ts, payload,
        origin, reaction, confidence, end_user, by_member, agent, state, counted_from, counted_until,
        source_conversation_id, source_turn_id, created_by_kind, created_by_id)
    SELECT m.tenant_id, p_copy, m.project, m.conversation_id, m.turn_id, m.role, m.kind, m.tags, m.text, m.ts, m.payload,
        m.origin, m.reaction, m.confidence, m.end_user, m.by_member, m.agent, 'cleared', m.counted_from, moment,
        m.source_conversation_id, m.source_turn_id, m.created_by_kind, m.created_by_id
    FROM public.conv_messages m WHERE m.tenant_id = tenant AND m.id = p_id AND m.state = 'active'
    ON CONFLICT DO NOTHING;
    UPDATE public.conv_messages m
    SET state = 'unsettled', counted_from = NULL, conversation_id = settled.source_conversation_id, turn_id = NULL,
        text = p_text, payload = p_payload, tags = ARRAY['artifact:turn.log.reaction', 'origin:machine'],
        agent = (SELECT coalesce(t.agent, c.agent) FROM public.conv_turns t
                 JOIN public.conversations c ON c.tenant_id = t.tenant_id AND c.project = t.project AND c.id = t.conversation_id
                 WHERE t.tenant_id = tenant AND t.project = settled.project
                   AND t.conversation_id = settled.source_conversation_id AND t.turn_id = settled.source_turn_id)
    WHERE m.tenant_id = tenant AND m.id = p_id;
    event := public.emit_event(p_event, 'reaction.reopened', 'conversations', p_payload #>> '{meta,rn}',
        jsonb_build_object('project', settled.project, 'conversation_id', settled.source_conversation_id, 'turn_id', NULL,
            'rn', p_payload #> '{meta,rn}', 'reaction', settled.reaction, 'origin', 'machine',
            'confidence', settled.confidence, 'user_id', settled.end_user, 'user_type', p_payload #> '{meta,user_type}',
            'replaced_rn', p_rn));
    feedback := public.take_in_reaction(NULL, p_feedback_event, NULL, p_rn, NULL, NULL, settled.project,
        settled.source_conversation_id, NULL, NULL, NULL, settled.end_user, false, 'machine');
END;
$$;
REVOKE ALL ON FUNCTION unsettle_reaction(uuid, text, text, jsonb, uuid, uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION unsettle_reaction(uuid, text, text, jsonb, uuid, uuid, uuid) TO goldloop_app, goldloop_worker;
