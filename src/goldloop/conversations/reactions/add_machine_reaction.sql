-- A machine's reaction, read from the message of one turn, to another turn; p_turn null where a person has to say which.
-- It is that of whoever wrote the message, and means a turn of that conversation or another of the same end user's. One for
-- each message: null where there is one already, or where there is no such turn (any more), else its event, and that of what
-- it is as feedback where the turn is known.
CREATE FUNCTION add_machine_reaction(
    p_project text, p_conversation text, p_turn text, p_source_conversation text, p_source_turn text, p_id uuid,
    p_event uuid, p_reaction text, p_confidence double precision, p_ts timestamptz, p_text text, p_payload jsonb,
    p_feedback uuid, p_feedback_event uuid, OUT event jsonb, OUT feedback jsonb
)
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    actor_kind text := split_part(current_setting('app.actor', true), ':', 1);
    actor_id uuid := nullif(split_part(current_setting('app.actor', true), ':', 2), '')::uuid;
    turn record;
    author text;
    artifact jsonb := jsonb_set(p_payload, '{meta,user_type}', '"end_user"');
BEGIN
    SELECT coalesce(t.user_id, c.user_id, '') INTO author
    FROM public.conv_turns t
    JOIN public.conversations c ON c.tenant_id = t.tenant_id AND c.project = t.project AND c.id = t.conversation_id
    WHERE t.tenant_id = tenant AND t.project = p_project AND t.conversation_id = p_source_conversation
      AND t.turn_id = p_source_turn;
    SELECT t.track_id, t.bundle_id, t.session_id, coalesce(t.agent, c.agent) AS agent
    INTO turn
    FROM public.conv_turns t
    JOIN public.conversations c ON c.tenant_id = t.tenant_id AND c.project = t.project AND c.id = t.conversation_id
    WHERE t.tenant_id = tenant AND t.project = p_project
      AND t.conversation_id = CASE WHEN p_turn IS NULL THEN p_source_conversation ELSE p_conversation END
      AND t.turn_id = coalesce(p_turn, p_source_turn)
      AND (p_turn IS NULL OR p_conversation = p_source_conversation OR coalesce(t.user_id, c.user_id) = author);
    IF NOT FOUND OR author IS NULL THEN
        RETURN;
    END IF;
    IF p_turn IS NOT NULL THEN
        artifact := jsonb_set(artifact, '{bundle_id}', coalesce(to_jsonb(turn.bundle_id), 'null'));
        artifact := jsonb_set(artifact, '{meta,track_id}', coalesce(to_jsonb(turn.track_id), 'null'));
    END IF;
    INSERT INTO public.conv_messages (tenant_id, id, project, conversation_id, turn_id, role, kind, tags, text, ts, payload,
        origin, reaction, confidence, end_user, agent, state, counted_from, source_conversation_id, source_turn_id,
        created_by_kind, created_by_id)
    VALUES (tenant, p_id, p_project, p_conversation, p_turn, 'artifact', 'turn.log.reaction',
        ARRAY['artifact:turn.log.reaction', 'origin:machine']
            || CASE WHEN p_turn IS NULL THEN '{}' ELSE ARRAY['turn:' || p_turn] END
            || CASE WHEN p_turn IS NULL OR turn.track_id IS NULL THEN '{}' ELSE ARRAY['track:' || turn.track_id] END,
        p_text, p_ts, artifact, 'machine', p_reaction, p_confidence, author, turn.agent,
        CASE WHEN p_turn IS NULL THEN 'unsettled' ELSE 'active' END,
        CASE WHEN p_turn IS NOT NULL THEN clock_timestamp() END, p_source_conversation, p_source_turn,
        actor_kind, actor_id)
    ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    event := public.emit_event(p_event, CASE WHEN p_turn IS NULL THEN 'reaction.unsettled' ELSE 'reaction.added' END,
        'conversations', artifact #>> '{meta,rn}',
        jsonb_build_object('project', p_project, 'conversation_id', p_conversation, 'turn_id', p_turn,
            'rn', artifact #> '{meta,rn}', 'reaction', p_reaction, 'origin', 'machine', 'confidence', p_confidence,
            'user_id', author, 'user_type', 'end_user'));
    IF p_turn IS NOT NULL THEN
        feedback := public.take_in_reaction(p_feedback, p_feedback_event, artifact #>> '{meta,rn}', NULL, p_reaction,
            artifact #>> '{reaction,text}', p_project, p_conversation, p_turn, turn.agent, turn.session_id, author, false, 'machine');
    END IF;
END;
$$;
REVOKE ALL ON FUNCTION add_machine_reaction(text, text, text, text, text, uuid, uuid, text, double precision, timestamptz, text, jsonb, uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION add_machine_reaction(text, text, text, text, text, uuid, uuid, text, double precision, timestamptz, text, jsonb, uuid, uuid)
    TO goldloop_app, goldloop_worker;
