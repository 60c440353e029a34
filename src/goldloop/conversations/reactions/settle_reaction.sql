-- What a person said about a machine reaction that could mean several turns: which one, or (p_turn null) none of them.
-- `settled` with its event, `already`, `absent` (no such reaction), `no_turn`, `own_turn` (that of the message itself) or
-- `not_theirs`: a turn of another conversation that is not the same end user's.
CREATE FUNCTION settle_reaction(
    p_id uuid, p_conversation text, p_turn text, p_text text, p_payload jsonb, p_event uuid,
    p_feedback uuid, p_feedback_event uuid, OUT outcome text, OUT event jsonb, OUT feedback jsonb
)
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    held record;
    turn record;
    artifact jsonb := p_payload;
    moment timestamptz;
    said jsonb;
BEGIN
    SELECT m.project, m.state, m.reaction, m.confidence, m.end_user, m.source_conversation_id, m.source_turn_id INTO held
    FROM public.conv_messages m WHERE m.tenant_id = tenant AND m.id = p_id AND m.origin = 'machine' FOR UPDATE;
    outcome := CASE WHEN NOT FOUND THEN 'absent' WHEN held.state <> 'unsettled' THEN 'already'
        WHEN p_turn = held.source_turn_id AND p_conversation = held.source_conversation_id THEN 'own_turn' END;
    IF outcome IS NOT NULL THEN
        RETURN;
    END IF;
    outcome := 'settled';
    said := jsonb_build_object('project', held.project, 'conversation_id', p_conversation, 'turn_id', p_turn,
        'rn', artifact #> '{meta,rn}', 'reaction', held.reaction, 'origin', 'machine', 'confidence', held.confidence,
        'user_id', held.end_user, 'user_type', artifact #> '{meta,user_type}');
    IF p_turn IS NULL THEN
        UPDATE public.conv_messages m SET state = 'dismissed', payload = artifact WHERE m.tenant_id = tenant AND m.id = p_id;
        event := public.emit_event(p_event, 'reaction.dismissed', 'conversations', said ->> 'rn', said);
        RETURN;
    END IF;
    SELECT t.track_id, t.bundle_id, t.session_id, coalesce(t.agent, c.agent) AS agent,
           coalesce(t.user_id, c.user_id) AS user_id INTO turn
    FROM public.conv_turns t
    JOIN public.conversations c ON c.tenant_id = t.tenant_id AND c.project = t.project AND c.id = t.conversation_id
    WHERE t.tenant_id = tenant AND t.project = held.project AND t.conversation_id = p_conversation AND t.turn_id = p_turn;
    IF NOT FOUND THEN
        outcome := 'no_turn';
    ELSIF p_conversation <> held.source_conversation_id AND NOT coalesce(turn.user_id = held.end_user, false) THEN
        outcome := 'not_theirs';
    END IF;
    IF outcome <> 'settled' THEN
        RETURN;
    END IF;
    artifact := jsonb_set(artifact, '{bundle_id}', coalesce(to_jsonb(turn.bundle_id), 'null'));
    artifact := jsonb_set(artifact, '{meta,track_id}', coalesce(to_jsonb(turn.track_id), 'null'));
    moment := clock_timestamp();
    UPDATE public.conv_messages m
    SET state = 'active', counted_from = moment, conversation_id = p_conversation, turn_id = p_turn,
        agent = turn.agent, text = p_text, payload = artifact,
        tags = ARRAY['artifact:turn.log.reaction', 'turn:' || p_turn, 'origin:machine']
            || CASE WHEN turn.track_id IS NULL THEN '{}' ELSE ARRAY['track:' || turn.track_id] END
    WHERE m.tenant_id = tenant AND m.id = p_id;
    event := public.emit_event(p_event, 'reaction.added', 'conversations', said ->> 'rn', said);
    feedback := public.take_in_reaction(p_feedback, p_feedback_event, said ->> 'rn', NULL, held.reaction,
        artifact #>> '{reaction,text}', held.project, p_conversation, p_turn, turn.agent, turn.session_id, held.end_user, false,
        'machine');
END;
$$;
REVOKE ALL ON FUNCTION settle_reaction(uuid, text, text, text, jsonb, uuid, uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION settle_reaction(uuid, text, text, text, jsonb, uuid, uuid, uuid) TO goldloop_app, goldloop_worker;
