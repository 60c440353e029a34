-- A reaction to a turn, of an end user or (p_by_member) of a member of the workspace: added, put in the place of the one before, or (p_reaction null) cleared, with its event.
-- The turn is held, so that of clicks at the same moment one stays. p_end_user null: the user of the turn or conversation.
-- Ids of end users are the chat's own, and may be those of members: the two are told apart everywhere.
-- After p_most reactions (null: any number) of one of them to one turn it is `too_many`. What it is as feedback is written in
-- the same call (p_feedback, p_feedback_event), and its event returned.
CREATE FUNCTION react(
    p_project text, p_conversation text, p_turn text, p_end_user text, p_by_member boolean, p_id uuid, p_event uuid, p_reaction text,
    p_comment text, p_ts timestamptz, p_ts_said boolean, p_text text, p_payload jsonb, p_most integer,
    p_feedback uuid, p_feedback_event uuid,
    OUT outcome text, OUT artifact jsonb, OUT replaced text, OUT event jsonb, OUT feedback jsonb
)
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    actor_kind text := split_part(current_setting('app.actor', true), ':', 1);
    actor_id uuid := nullif(split_part(current_setting('app.actor', true), ':', 2), '')::uuid;
    turn record;
    held record;
    author text;
    moment timestamptz;
    said jsonb := jsonb_build_object('project', p_project, 'conversation_id', p_conversation, 'turn_id', p_turn,
                                     'origin', 'user', 'confidence', 1.0, 'reaction', p_reaction)
        || jsonb_build_object('user_type', CASE WHEN p_by_member THEN 'member' ELSE 'end_user' END);
BEGIN
    SELECT t.track_id, t.bundle_id, t.session_id, coalesce(t.agent, c.agent) AS agent,
           coalesce(t.user_id, c.user_id, '') AS user_id
    INTO turn
    FROM public.conv_turns t
    JOIN public.conversations c ON c.tenant_id = t.tenant_id AND c.project = t.project AND c.id = t.conversation_id
    WHERE t.tenant_id = tenant AND t.project = p_project AND t.conversation_id = p_conversation AND t.turn_id = p_turn
    FOR NO KEY UPDATE OF t;
    IF NOT FOUND THEN
        outcome := 'absent';
        RETURN;
    END IF;
    author := coalesce(p_end_user, turn.user_id);
    IF NOT p_by_member THEN
        PERFORM public.refuse_erased('{}', '{}', ARRAY[author]);
    END IF;
    SELECT m.id, m.reaction, m.ts, m.payload INTO held
    FROM public.conv_messages m
    WHERE m.tenant_id = tenant AND m.project = p_project AND m.conversation_id = p_conversation AND m.turn_id = p_turn
      AND m.origin = 'user' AND m.state = 'active' AND m.end_user = author AND m.by_member = p_by_member;
    IF held.id IS NULL AND p_reaction IS NULL OR held.reaction = p_reaction AND (NOT p_ts_said OR held.ts = p_ts)
        AND held.payload #>> '{reaction,text}' IS NOT DISTINCT FROM p_comment THEN
        outcome := 'unchanged';
        artifact := held.payload;
        RETURN;
    END IF;
    IF p_reaction IS NOT NULL AND p_most <= (
        SELECT count(*) FROM public.conv_messages m
        WHERE m.tenant_id = tenant AND m.project = p_project AND m.conversation_id = p_conversation AND m.turn_id = p_turn
          AND m.origin = 'user' AND m.end_user = author AND m.by_member = p_by_member) THEN
        outcome := 'too_many';
        RETURN;
    END IF;
    moment := clock_timestamp();
    IF held.id IS NOT NULL THEN
        replaced := held.payload #>> '{meta,rn}';
        UPDATE public.conv_messages m
        SET state = CASE WHEN p_reaction IS NULL THEN 'cleared' ELSE 'replaced' END, counted_until = moment
        WHERE m.tenant_id = tenant AND m.id = held.id;
    END IF;
    IF p_reaction IS NULL THEN
        outcome := 'cleared';
        event := public.emit_event(p_event, 'reaction.cleared', 'conversations', replaced,
            said || jsonb_build_object('rn', replaced, 'user_id', author));
        feedback := public.take_in_reaction(p_feedback, p_feedback_event, NULL, replaced, NULL, NULL, p_project, p_conversation,
            p_turn, turn.agent, turn.session_id, author, p_by_member, 'user');
        RETURN;
    END IF;
    artifact := jsonb_set(p_payload, '{bundle_id}', coalesce(to_jsonb(turn.bundle_id), 'null'));
    artifact := jsonb_set(artifact, '{meta,track_id}', coalesce(to_jsonb(turn.track_id), 'null'));
    artifact := jsonb_set(artifact, '{meta,user_type}', said -> 'user_type');
    INSERT INTO public.conv_messages (tenant_id, id, project, conversation_id, turn_id, role, kind, tags, text, ts, payload,
        origin, reaction, confidence, end_user, by_member, agent, state, counted_from, created_by_kind, created_by_id)
    VALUES (tenant, p_id, p_project, p_conversation, p_turn, 'artifact', 'turn.log.reaction',
        ARRAY['artifact:turn.log.reaction', 'turn:' || p_turn, 'origin:user']
            || CASE WHEN turn.track_id IS NULL THEN '{}' ELSE ARRAY['track:' || turn.track_id] END,
        p_text, p_ts, artifact, 'user', p_reaction, 1.0, author, p_by_member, turn.agent, 'active', moment,
        actor_kind, actor_id);
    outcome := CASE WHEN replaced IS NULL THEN 'added' ELSE 'replaced' END;
    event := public.emit_event(p_event, CASE WHEN replaced IS NULL THEN 'reaction.added' ELSE 'reaction.replaced' END,
        'conversations', artifact #>> '{meta,rn}', said || jsonb_build_object('rn', artifact #> '{meta,rn}', 'user_id', author)
        || CASE WHEN replaced IS NULL THEN '{}'::jsonb ELSE jsonb_build_object('replaced_rn', replaced) END);
    feedback := public.take_in_reaction(p_feedback, p_feedback_event, artifact #>> '{meta,rn}', replaced, p_reaction, p_comment,
        p_project, p_conversation, p_turn, turn.agent, turn.session_id, author, p_by_member, 'user');
END;
$$;
REVOKE ALL ON FUNCTION react(text, text, text, text, boolean, uuid, uuid, text, text, timestamptz, boolean, text, jsonb, integer, uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION react(text, text, text, text, boolean, uuid, uuid, text, text, timestamptz, boolean, text, jsonb, integer, uuid, uuid)
    TO goldloop_app, goldloop_worker;
