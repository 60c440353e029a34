-- Turns of one conversation, with their messages, index rows, marks and event, in one call. What is there already stays as
-- it is. `clashing` names the turns that are there with other content: then nothing is written. Writers of a conversation
-- come one after the other.
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
    known text[];
    registered jsonb;  -- ids of the registry by the slugs that were sent
    fresh record;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended(tenant || '/' || p_project || '/' || p_conversation, 0));
    PERFORM public.refuse_erased('{}', ARRAY[p_project || '/' || p_conversation],
        ARRAY(SELECT g.user_id FROM jsonb_to_recordset(p_turns) AS g (user_id text) WHERE g.user_id IS NOT NULL));
    SELECT coalesce(array_agg(t.turn_id), '{}'),
           coalesce(array_agg(t.turn_id) FILTER (WHERE t.digest <> decode(g.digest, 'hex')), '{}')
    INTO known, clashing
    FROM jsonb_to_recordset(p_turns) AS g (turn_id text, digest text)
    JOIN public.conv_turns t ON t.tenant_id = tenant AND t.project = p_project AND t.conversation_id = p_conversation
        AND t.turn_id = g.turn_id;
    SELECT coalesce(array_agg(g.turn_id ORDER BY g.place), '{}') AS turn_ids, coalesce(bool_or(g.turn_log IS NOT NULL), false) AS logs,
           (array_agg(g.user_id ORDER BY g.place) FILTER (WHERE g.user_id IS NOT NULL))[1] AS user_id,
           (array_agg(g.agent ORDER BY g.place) FILTER (WHERE g.agent IS NOT NULL))[1] AS agent,
           coalesce((array_agg(left(coalesce(g.user_text, g.assistant_text), 200) ORDER BY g.ts, g.place))[1], '') AS title,
           min(g.ts) AS first, max(g.ts) AS last
    INTO fresh
    FROM (SELECT t.place, t.turn_id, coalesce(t.ts, p_at + t.place * interval '1 microsecond') AS ts, t.user_text,
                 t.assistant_text, t.user_id, t.agent, t.turn_log
          FROM ROWS FROM (jsonb_to_recordset(p_turns) AS (turn_id text, ts timestamptz, user_text text, assistant_text text,
              user_id text, agent text, turn_log jsonb))
              WITH ORDINALITY AS t (turn_id, ts, user_text, assistant_text, user_id, agent, turn_log, place)
          WHERE t.turn_id <> ALL (known)) g;
    added := fresh.turn_ids;
    IF cardinality(added) = 0 OR cardinality(clashing) > 0 THEN
        RETURN;
    END IF;
    SELECT coalesce(jsonb_object_agg(a.slug, a.id), '{}') INTO registered
    FROM public.agents a
    WHERE a.tenant_id = tenant AND a.slug = ANY (ARRAY(SELECT g.agent FROM jsonb_to_recordset(p_turns) AS g (agent text)));
    INSERT INTO public.conversations AS c (tenant_id, project, id, user_id, agent, agent_id, title, turns, started_at,
        last_activity_at)
    VALUES (tenant, p_project, p_conversation, fresh.user_id, fresh.agent, (registered ->> fresh.agent)::uuid, fresh.title,
        cardinality(added), fresh.first, fresh.last)
    ON CONFLICT (tenant_id, project, id) DO UPDATE SET
        user_id = coalesce(c.user_id, excluded.user_id), agent = coalesce(c.agent, excluded.agent),
        agent_id = CASE WHEN c.agent IS NULL THEN excluded.agent_id ELSE c.agent_id END,
        title = CASE WHEN excluded.started_at < c.started_at THEN excluded.title ELSE c.title END,
        turns = c.turns + excluded.turns, started_at = least(c.started_at, excluded.started_at),
        last_activity_at = greatest(c.last_activity_at, excluded.last_activity_at);
    INSERT INTO public.conv_turns (tenant_id, project, conversation_id, turn_id, ts, user_id, agent, agent_id, session_id,
        bundle_id, track_id, digest, turn_log, created_by_kind, created_by_id)
    SELECT tenant, p_project, p_conversation, t.turn_id, coalesce(t.ts, p_at + t.place * interval '1 microsecond'), t.user_id,
           t.agent, (registered ->> t.agent)::uuid, t.session_id, t.bundle_id, t.track_id, decode(t.digest, 'hex'), t.turn_log, actor_kind, actor_id
    FROM ROWS FROM (jsonb_to_recordset(p_turns) AS (turn_id text, ts timestamptz, user_id text, agent text, session_id text,
        bundle_id text, track_id text, turn_log jsonb, digest text))
        WITH ORDINALITY AS t (turn_id, ts, user_id, agent, session_id, bundle_id, track_id, turn_log, digest, place)
    WHERE t.turn_id = ANY (added) ORDER BY t.place
    ON CONFLICT DO NOTHING;
    INSERT INTO public.conv_messages (tenant_id, id, project, conversation_id, turn_id, role, kind, tags, text, ts)
    SELECT tenant, (id_stem || lpad(to_hex(3 * t.place + m.part), 4, '0'))::uuid, p_project, p_conversation, t.turn_id,
           m.role, m.kind, m.tags || CASE WHEN t.track_id IS NULL THEN '{}' ELSE ARRAY['track:' || t.track_id] END,
           m.text, coalesce(t.ts, p_at + t.place * interval '1 microsecond')
    FROM ROWS FROM (jsonb_to_recordset(p_turns) AS (turn_id text, ts timestamptz, user_text text, assistant_text text,
        track_id text, turn_log jsonb))
        WITH ORDINALITY AS t (turn_id, ts, user_text, assistant_text, track_id, turn_log, place)
    CROSS JOIN LATERAL (VALUES
        (0, 'user', 'message', ARRAY['chat:user', 'turn:' || t.turn_id], t.user_text),
        (1, 'assistant', 'message', ARRAY['chat:assistant', 'turn:' || t.turn_id], t.assistant_text),
        (2, 'artifact', 'turn.log', ARRAY['artifact:turn.log', 'turn:' || t.turn_id],
         CASE WHEN t.turn_log IS NOT NULL THEN 'turn.log ' || t.turn_id END)
    ) AS m (part, role, kind, tags, text)
    WHERE t.turn_id = ANY (added) AND m.text IS NOT NULL
    ON CONFLICT DO NOTHING;
    PERFORM public.set_marks('conversations.index', ARRAY[p_project || '/' || p_conversation], p_gather);
    IF fresh.logs THEN
        PERFORM public.set_marks('blobs.write', ARRAY[p_project || '/' || p_conversation], p_gather);
    END IF;
    event := public.emit_event(p_event, 'conversation.turn_added', 'conversations', p_conversation,
        jsonb_build_object('project', p_project, 'conversation_id', p_conversation,
                           'turn_id', added[cardinality(added)], 'turn_ids', to_jsonb(added)));
END;
$$;
REVOKE ALL ON FUNCTION add_turns(text, text, jsonb, timestamptz, uuid, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION add_turns(text, text, jsonb, timestamptz, uuid, interval) TO goldloop_app, goldloop_worker;
