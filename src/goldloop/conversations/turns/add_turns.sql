-- Turns of one conversation, with their messages, index rows, marks and event, in one call. What is there already stays as
-- it is; `clashing` names the turns that are there with other content. Writers of a conversation come one after the other.
CREATE FUNCTION add_turns(
    p_project text, p_conversation text, p_turns jsonb, p_at timestamptz, p_event uuid, p_gather interval,
    OUT added text[], OUT clashing text[], OUT event jsonb
)
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    actor_kind text := split_part(current_setting('app.actor', true), ':', 1);
    actor_id uuid := nullif(split_part(current_setting('app.actor', true), ':', 2), '')::uuid;
    moment text := lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0');
    -- All but the last four digits of a UUIDv7; those count the rows of this call.
    id_stem text := left(moment, 8) || '-' || right(moment, 4) || '-7' || substr(gen_random_uuid()::text, 16, 17);
    has_logs boolean;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended(tenant || '/' || p_project || '/' || p_conversation, 0));
    WITH given AS MATERIALIZED (
        SELECT t.place, t.turn_id, coalesce(t.ts, p_at + t.place * interval '1 microsecond') AS ts, t.user_text, t.assistant_text,
               t.user_id, t.agent, t.session_id, t.bundle_id, t.track_id, t.turn_log, t.digest
        FROM ROWS FROM (jsonb_to_recordset(p_turns) AS (
            turn_id text, ts timestamptz, user_text text, assistant_text text, user_id text, agent text,
            session_id text, bundle_id text, track_id text, turn_log jsonb, digest text
        )) WITH ORDINALITY AS t (turn_id, ts, user_text, assistant_text, user_id, agent, session_id, bundle_id, track_id,
                                 turn_log, digest, place)
    ), new_turns AS (
        INSERT INTO public.conv_turns AS t (tenant_id, project, conversation_id, turn_id, ts, user_id, agent, session_id,
            bundle_id, track_id, digest, turn_log, created_by_kind, created_by_id)
        SELECT tenant, p_project, p_conversation, g.turn_id, g.ts, g.user_id, g.agent, g.session_id, g.bundle_id, g.track_id,
               decode(g.digest, 'hex'), g.turn_log, actor_kind, actor_id
        FROM given g ORDER BY g.place
        ON CONFLICT DO NOTHING
        RETURNING t.turn_id
    ), new_rows AS (
        SELECT g.* FROM given g JOIN new_turns n ON n.turn_id = g.turn_id
    ), messages AS (
        INSERT INTO public.conv_messages (tenant_id, id, project, conversation_id, turn_id, role, kind, tags, text, ts)
        SELECT tenant, (id_stem || lpad(to_hex(3 * n.place + m.part), 4, '0'))::uuid, p_project, p_conversation, n.turn_id,
               m.role, m.kind, m.tags || CASE WHEN n.track_id IS NULL THEN '{}' ELSE ARRAY['track:' || n.track_id] END,
               m.text, n.ts
        FROM new_rows n
        CROSS JOIN LATERAL (VALUES
            (0, 'user', 'message', ARRAY['chat:user', 'turn:' || n.turn_id], n.user_text),
            (1, 'assistant', 'message', ARRAY['chat:assistant', 'turn:' || n.turn_id], n.assistant_text),
            (2, 'artifact', 'turn.log', ARRAY['artifact:turn.log', 'turn:' || n.turn_id],
             CASE WHEN n.turn_log IS NOT NULL THEN 'turn.log ' || n.turn_id END)
        ) AS m (part, role, kind, tags, text)
        WHERE m.text IS NOT NULL
    ), conversation AS (
        INSERT INTO public.conversations AS c (tenant_id, project, id, user_id, agent, title, turns, started_at, last_activity_at)
        SELECT tenant, p_project, p_conversation,
               (array_agg(n.user_id ORDER BY n.place) FILTER (WHERE n.user_id IS NOT NULL))[1],
               (array_agg(n.agent ORDER BY n.place) FILTER (WHERE n.agent IS NOT NULL))[1],
               coalesce((array_agg(left(coalesce(n.user_text, n.assistant_text), 200) ORDER BY n.ts, n.place))[1], ''),
               count(*), min(n.ts), max(n.ts)
        FROM new_rows n HAVING count(*) > 0
        ON CONFLICT (tenant_id, project, id) DO UPDATE SET
            user_id = coalesce(c.user_id, excluded.user_id), agent = coalesce(c.agent, excluded.agent),
            title = CASE WHEN excluded.started_at < c.started_at THEN excluded.title ELSE c.title END,
            turns = c.turns + excluded.turns, started_at = least(c.started_at, excluded.started_at),
            last_activity_at = greatest(c.last_activity_at, excluded.last_activity_at)
    )
    SELECT coalesce(array_agg(n.turn_id ORDER BY n.place), '{}'), coalesce(bool_or(n.turn_log IS NOT NULL), false)
    INTO added, has_logs FROM new_rows n;
    IF cardinality(added) < jsonb_array_length(p_turns) THEN
        SELECT array_agg(t.turn_id) INTO clashing
        FROM jsonb_to_recordset(p_turns) AS g (turn_id text, digest text)
        JOIN public.conv_turns t ON t.tenant_id = tenant AND t.project = p_project AND t.conversation_id = p_conversation
            AND t.turn_id = g.turn_id
        WHERE t.digest <> decode(g.digest, 'hex');
    END IF;
    clashing := coalesce(clashing, '{}');
    IF cardinality(added) > 0 AND cardinality(clashing) = 0 THEN
        PERFORM public.set_marks('conversations.index', ARRAY[p_project || '/' || p_conversation], p_gather);
        IF has_logs THEN
            PERFORM public.set_marks('blobs.write', ARRAY[p_project || '/' || p_conversation], p_gather);
        END IF;
        event := public.emit_event(p_event, 'conversation.turn_added', 'conversations', p_conversation,
            jsonb_build_object('project', p_project, 'conversation_id', p_conversation,
                               'turn_id', added[cardinality(added)], 'turn_ids', to_jsonb(added)));
    END IF;
END;
$$;
REVOKE ALL ON FUNCTION add_turns(text, text, jsonb, timestamptz, uuid, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION add_turns(text, text, jsonb, timestamptz, uuid, interval) TO goldloop_app, goldloop_worker;
