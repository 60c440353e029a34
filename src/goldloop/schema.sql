CREATE SCHEMA public;
COMMENT ON SCHEMA public IS 'standard public schema';
CREATE FUNCTION public.accept_invite(p_hash bytea, p_session bytea) RETURNS TABLE(slug text, tenant_id uuid, user_id uuid, name text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
DECLARE
    account record;
    used record;
BEGIN
    SELECT u.id, u.email, u.name INTO account
    FROM public.sign_in_sessions s JOIN public.users u ON u.id = s.user_id
    WHERE s.hash = p_session AND s.expires_at > now();
    IF account.id IS NOT NULL AND public.invite_address(p_hash) <> account.email THEN
        RETURN NEXT;
        RETURN;
    END IF;
    SELECT t.tenant_id, t.user_id INTO used FROM public.take_invite(p_hash) t WHERE account.id IS NOT NULL;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    slug := public.join_workspace(used.tenant_id, used.user_id, account.id);
    tenant_id := used.tenant_id;
    user_id := used.user_id;
    name := account.name;
    RETURN NEXT;
END;
$$;
CREATE FUNCTION public.add_machine_reaction(p_project text, p_conversation text, p_turn text, p_source_conversation text, p_source_turn text, p_id uuid, p_event uuid, p_reaction text, p_confidence double precision, p_ts timestamp with time zone, p_text text, p_payload jsonb, p_feedback uuid, p_feedback_event uuid, OUT event jsonb, OUT feedback jsonb) RETURNS record
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION public.add_otel_batches(p_ids bytea[], p_signals smallint[], p_encodings smallint[], p_spans integer[], p_trace_ids bytea[], p_bodies bytea[], p_mark text, p_delay interval) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    received timestamptz := clock_timestamp();
BEGIN
    INSERT INTO public.otel_batches (tenant_id, id, received_at, signal, encoding, spans, trace_ids, body)
    SELECT tenant, b.id, received, b.signal, b.encoding, b.spans, b.trace_ids, b.body
    FROM unnest(p_ids, p_signals, p_encodings, p_spans, p_trace_ids, p_bodies)
        AS b (id, signal, encoding, spans, trace_ids, body)
    ON CONFLICT DO NOTHING;
    IF FOUND THEN
        PERFORM public.set_marks(p_mark, ARRAY['new'], p_delay);
    END IF;
END;
$$;
CREATE FUNCTION public.add_otel_counts(p_counts jsonb, p_first timestamp with time zone, p_last timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    INSERT INTO public.otel_sources AS s (tenant_id, service, scope, sdk, spans, requests, with_content, with_session,
        with_user, first_at, last_at)
    SELECT tenant, c.service, c.scope, c.sdk, c.spans, c.requests, c.with_content, c.with_session, c.with_user, p_first, p_last
    FROM jsonb_to_recordset(p_counts) AS c (service text, scope text, sdk text, spans bigint, requests bigint,
        with_content bigint, with_session bigint, with_user bigint)
    ORDER BY c.service, c.scope, c.sdk
    ON CONFLICT (tenant_id, service, scope, sdk) DO UPDATE
    SET spans = s.spans + excluded.spans, requests = s.requests + excluded.requests,
        with_content = s.with_content + excluded.with_content, with_session = s.with_session + excluded.with_session,
        with_user = s.with_user + excluded.with_user, first_at = least(s.first_at, excluded.first_at),
        last_at = greatest(s.last_at, excluded.last_at);
END;
$$;
CREATE FUNCTION public.add_turns(p_project text, p_conversation text, p_turns jsonb, p_at timestamp with time zone, p_event uuid, p_gather interval, OUT added text[], OUT clashing text[], OUT event jsonb) RETURNS record
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION public.advance_moment(p_by interval) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    told timestamptz := nullif(current_setting('app.moment', true), '')::timestamptz;
BEGIN
    IF told IS NOT NULL THEN
        PERFORM set_config('app.moment', least(told + p_by, now())::text, true);
    END IF;
END;
$$;
CREATE FUNCTION public.aggregate_responses(p_entity uuid, p_set uuid, p_points integer, p_numeric text[], p_chosen text[]) RETURNS TABLE(totals jsonb, dimensions jsonb, progression jsonb)
    LANGUAGE plpgsql STABLE
    SET jit TO 'off'
    SET work_mem TO '64MB'
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    RETURN QUERY
    WITH counted AS MATERIALIZED (
        SELECT r.id, r.values, r.scope, r.created_at, public.score_of_100(r.normalized_score) AS score,
               coalesce('agent:' || r.submitted_by_agent, 'user:' || r.submitted_by_user) AS respondent
        FROM public.entity_responses r
        WHERE r.tenant_id = tenant AND r.entity_id = p_entity
          AND r.criteria_set_id = p_set AND r.withdrawn_at IS NULL AND r.status <> 'rejected'
          AND (r.scope ->> 'fieldKey') IS NOT DISTINCT FROM (
              SELECT c.scope ->> 'fieldKey' FROM public.criteria_sets c
              WHERE c.tenant_id = tenant AND c.id = p_set)
    ), answers AS MATERIALIZED (  -- a text too long to be an option is only counted
        SELECT v.key, c.respondent, CASE jsonb_typeof(v.value) WHEN 'number' THEN v.value::double precision END AS n,
               CASE WHEN jsonb_typeof(v.value) <> 'number' AND pg_column_size(v.value) <= 1000 THEN v.value END AS choice,
               count(*) AS times, max(c.created_at) AS at
        FROM counted c CROSS JOIN LATERAL (  -- what was said about connections is said of them all together
            SELECT e.key, e.value FROM jsonb_each(c.values) e WHERE c.scope IS NULL
            UNION ALL
            SELECT e.key, e.value FROM jsonb_each(c.values) o, jsonb_each(o.value) e WHERE c.scope IS NOT NULL
        ) v
        GROUP BY 1, 2, 3, 4
    ), spoken AS (  -- the newest response with an answer to each dimension, and the newest of all
        SELECT c.id, s.key FROM (SELECT a.key, max(a.at) AS at FROM answers a GROUP BY a.key) s JOIN counted c ON c.created_at = s.at
        UNION ALL
        (SELECT c.id, NULL FROM counted c ORDER BY c.created_at DESC, c.id DESC LIMIT 1)
    ), known AS (  -- every dimension of the newest response and every one ever answered, as it was last called
        SELECT DISTINCT ON (d ->> 'key') d ->> 'key' AS key, d ->> 'label' AS label, d ->> 'type' AS type,
               d -> 'options' AS options, d ->> 'type' = ANY (p_numeric) AS is_number, ordinal
        FROM (SELECT DISTINCT s.id FROM spoken s) s
        JOIN public.entity_responses r ON r.tenant_id = tenant AND r.id = s.id,
             jsonb_array_elements(r.criteria_snapshot) WITH ORDINALITY x (d, ordinal)
        WHERE d ->> 'key' IN (SELECT o.key FROM spoken o) OR r.id = (SELECT o.id FROM spoken o WHERE o.key IS NULL)
        ORDER BY d ->> 'key', r.created_at DESC, r.id DESC
    ), fitting AS MATERIALIZED (  -- the dimension may have had another type in its day
        SELECT a.key, k.is_number, a.respondent, a.n, a.choice, a.times, k.type
        FROM answers a JOIN known k ON k.key = a.key AND k.is_number = (a.n IS NOT NULL)
    ), ranked AS (
        SELECT f.key, f.n, f.times, sum(f.times) OVER (PARTITION BY f.key ORDER BY f.n) AS upto,
               sum(f.times) OVER (PARTITION BY f.key) AS total
        FROM (SELECT g.key, g.n, sum(g.times) AS times FROM fitting g WHERE g.is_number GROUP BY g.key, g.n) f
    ), numbers AS (
        SELECT key, total, min(n) AS min, max(n) AS max, sum(n * times) / total AS mean,
               (min(n) FILTER (WHERE upto > div(total - 1, 2)) + min(n) FILTER (WHERE upto > div(total, 2))) / 2 AS median
        FROM ranked GROUP BY key, total
    ), deviations AS (
        SELECT r.key, sqrt(sum(r.times * (r.n - m.mean) ^ 2) / nullif(m.total - 1, 0)) AS stddev
        FROM ranked r JOIN numbers m ON m.key = r.key GROUP BY r.key, m.total
    ), respondents AS (
        SELECT key, count(respondent) AS respondents, sum(times) AS count, stddev_samp(own) AS spread
        FROM (SELECT key, respondent, sum(times) AS times, sum(n * times) / sum(times) AS own FROM fitting GROUP BY key, respondent) o
        GROUP BY key
    ), choices AS (
        SELECT key, jsonb_object_agg(choice, times) AS frequencies
        FROM (SELECT f.key, f.choice #>> '{}' AS choice, sum(f.times) AS times FROM fitting f
              WHERE f.type = ANY (p_chosen) AND f.choice IS NOT NULL GROUP BY f.key, f.choice) c
        GROUP BY key
    ), whole AS (
        SELECT sum(times)::bigint AS count, count(respondent) AS respondents, sum(scored)::bigint AS scored,
               min(first) AS first, max(last) AS last
        FROM (SELECT respondent, count(*) AS times, count(score) AS scored, min(created_at) FILTER (WHERE score IS NOT NULL) AS first,
                     max(created_at) FILTER (WHERE score IS NOT NULL) AS last
              FROM counted GROUP BY respondent) r
    ), buckets AS (  -- few points are shown as they are
        SELECT c.created_at AS at, c.score, c.score AS min, c.score AS max, 1 AS count
        FROM counted c, whole w WHERE w.scored <= p_points AND c.score IS NOT NULL
        UNION ALL
        SELECT max(c.created_at), round(avg(c.score)::numeric, 2)::double precision, min(c.score), max(c.score), count(*)
        FROM counted c, whole w WHERE w.scored > p_points AND c.score IS NOT NULL
        GROUP BY least(floor(coalesce(extract(epoch FROM c.created_at - w.first)::double precision
            / nullif(extract(epoch FROM w.last - w.first)::double precision, 0), 0) * p_points), p_points - 1)
    )
    SELECT
        (SELECT jsonb_build_object('count', coalesce(w.count, 0), 'respondents', w.respondents) || s.scores FROM whole w,
            (SELECT jsonb_build_object('mean', round(avg(score)::numeric, 2)::double precision,
                'median', round((percentile_cont(0.5) WITHIN GROUP (ORDER BY score))::numeric, 2)::double precision,
                'min', min(score), 'max', max(score)) FROM counted) s (scores)),
        (SELECT jsonb_agg(jsonb_build_object('key', k.key, 'label', k.label, 'type', k.type, 'options', k.options,
            'count', coalesce(p.count, 0), 'respondents', coalesce(p.respondents, 0), 'mean', n.mean, 'median', n.median,
            'min', n.min, 'max', n.max, 'stddev', s.stddev, 'spread', p.spread,
            'frequencies', CASE WHEN k.type = ANY (p_chosen) THEN coalesce(c.frequencies, '{}'::jsonb) END) ORDER BY k.ordinal, k.key)
         FROM known k LEFT JOIN numbers n ON n.key = k.key LEFT JOIN deviations s ON s.key = k.key
         LEFT JOIN respondents p ON p.key = k.key LEFT JOIN choices c ON c.key = k.key),
        (SELECT jsonb_agg(jsonb_build_object('at', at, 'score', score, 'min', min, 'max', max, 'count', count) ORDER BY at)
         FROM buckets);
END;
$$;
CREATE FUNCTION public.append_session_events(p_session uuid, p_events jsonb, p_words text[], p_claim integer, p_late boolean, p_watch interval, OUT outcome text, OUT added integer, OUT events integer) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    session record;
    known uuid[];  -- NULL until one was there already
    is_over boolean;
    counts record;
    moment timestamptz;
BEGIN
    SELECT s.status, s.last_seq, s.claim, s.source INTO session
    FROM public.sessions s WHERE s.tenant_id = tenant AND s.id = p_session FOR NO KEY UPDATE;
    IF NOT FOUND THEN  -- nobody can lock a golden one
        outcome := CASE WHEN EXISTS (SELECT FROM public.sessions s WHERE s.tenant_id = tenant AND s.id = p_session)
                        THEN 'ended' ELSE 'absent' END;
        RETURN;
    END IF;
    moment := clock_timestamp();
    IF p_watch IS NOT NULL AND session.source = 'run' THEN
        outcome := 'here';
        RETURN;
    END IF;
    IF p_claim <> session.claim THEN
        outcome := 'lost';
        RETURN;
    END IF;
    is_over := session.status IN ('completed', 'failed', 'cancelled') AND NOT p_late;
    LOOP
        -- Nearly always all are new, and looking for each beforehand would cost as much as its row: only where one is there.
        IF is_over OR known IS NOT NULL THEN
            SELECT coalesce(array_agg(e.id), '{}') INTO known
            FROM public.session_events e
            WHERE e.tenant_id = tenant AND e.session_id = p_session
              AND e.id = ANY (ARRAY(SELECT g.id FROM jsonb_to_recordset(p_events) AS g (id uuid)));
        END IF;
        added := jsonb_array_length(p_events) - coalesce(cardinality(known), 0);
        events := session.last_seq;
        outcome := CASE WHEN added > 0 AND is_over THEN 'ended' ELSE 'appended' END;
        IF added = 0 OR is_over THEN
            RETURN;
        END IF;
        events := session.last_seq + added;
        BEGIN
            WITH new AS (
                INSERT INTO public.session_events (tenant_id, session_id, seq, id, type, at, payload, blob)
                SELECT tenant, p_session, session.last_seq + row_number() OVER (ORDER BY g.place), g.id, g.type, g.at, g.payload, g.blob
                FROM ROWS FROM (jsonb_to_recordset(p_events) AS (id uuid, type text, at timestamptz, payload jsonb, blob text))
                     WITH ORDINALITY AS g (id, type, at, payload, blob, place)
                WHERE known IS NULL OR g.id <> ALL (known)
                RETURNING seq, type, at, payload
            )
            SELECT max(e.at) AS at, count(*) FILTER (WHERE e.type = 'model.request') AS requests,
                   count(*) FILTER (WHERE e.type = 'tool.call') AS tool_calls,
                   coalesce(sum((e.payload ->> 'input_tokens')::float8) FILTER (WHERE jsonb_typeof(e.payload -> 'input_tokens') = 'number'), 0)::bigint AS input_tokens,
                   coalesce(sum((e.payload ->> 'output_tokens')::float8) FILTER (WHERE jsonb_typeof(e.payload -> 'output_tokens') = 'number'), 0)::bigint AS output_tokens,
                   sum((e.payload ->> 'cost')::float8) FILTER (WHERE jsonb_typeof(e.payload -> 'cost') = 'number') AS cost,
                   (array_agg(left(e.payload ->> 'text', 300) ORDER BY e.seq) FILTER (WHERE e.type = 'user.message'))[1] AS first_message
            INTO counts
            FROM new e;
            EXIT;
        EXCEPTION WHEN unique_violation THEN
            IF known IS NOT NULL THEN
                RAISE;  -- two of the same call have one id
            END IF;
            known := '{}';
        END;
    END LOOP;
    UPDATE public.sessions s
    SET status = CASE WHEN s.status = 'stalled' THEN 'running' ELSE s.status END,
        dismissed_at = CASE WHEN s.status = 'stalled' THEN NULL ELSE s.dismissed_at END, heard_at = moment,
        last_seq = session.last_seq + added, last_at = greatest(s.last_at, counts.at), requests = s.requests + counts.requests,
        tool_calls = s.tool_calls + counts.tool_calls, input_tokens = s.input_tokens + counts.input_tokens,
        output_tokens = s.output_tokens + counts.output_tokens,
        cost = CASE WHEN s.cost IS NULL AND counts.cost IS NULL THEN NULL ELSE coalesce(s.cost, 0) + coalesce(counts.cost, 0) END,
        first_message = CASE WHEN s.first_message = '' THEN coalesce(counts.first_message, '') ELSE s.first_message END
    WHERE s.tenant_id = tenant AND s.id = p_session;
    IF session.source = 'run' AND (counts.input_tokens + counts.output_tokens > 0 OR counts.cost > 0) THEN
        PERFORM public.count_run_usage(p_session, counts.input_tokens + counts.output_tokens, coalesce(counts.cost, 0), moment);
    END IF;
    INSERT INTO public.session_words (tenant_id, session_id, word)
    SELECT tenant, p_session, w FROM unnest(p_words) AS w ON CONFLICT DO NOTHING;
    IF p_watch IS NOT NULL AND session.status = 'stalled' THEN
        PERFORM public.set_marks('sessions.watch', ARRAY[p_session::text], p_watch);
    END IF;
    PERFORM public.notify_change('sessions', p_session::text);
END;
$$;
CREATE FUNCTION public.apply_claim_aggregate(p_tenant_id uuid, p_claim_id uuid, p_source_count integer, p_quality_avg double precision) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
DECLARE
    held record;
    moment timestamptz;
BEGIN
    IF coalesce(current_setting('app.tenant', true), '') = '' THEN
        EXECUTE format('SET LOCAL app.tenant = %L', p_tenant_id);
    END IF;
    IF coalesce(current_setting('app.actor', true), '') = '' THEN
        EXECUTE 'SET LOCAL app.actor = ''system:''';
    END IF;
    SELECT e.content, e.version,
           e.content || jsonb_build_object('source_count', p_source_count, 'source_quality_avg', p_quality_avg) AS wanted
    INTO held
    FROM public.entities e WHERE e.tenant_id = p_tenant_id AND e.id = p_claim_id FOR NO KEY UPDATE;
    IF NOT FOUND OR held.wanted = held.content THEN
        RETURN false;
    END IF;
    moment := public.moment();
    UPDATE public.entities e SET content = held.wanted, version = held.version + 1, updated_at = moment
    WHERE e.tenant_id = p_tenant_id AND e.id = p_claim_id;
    PERFORM public.record_field_changes(p_claim_id, 'aggregate', held.content, held.wanted, held.version + 1);
    RETURN true;
END;
$$;
CREATE FUNCTION public.assign_responses(p_responses uuid[], p_to uuid) RETURNS TABLE(id uuid, entity_id uuid)
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    PERFORM FROM public.entities e WHERE e.tenant_id = tenant AND e.id IN (
        SELECT r.entity_id FROM public.entity_responses r WHERE r.tenant_id = tenant AND r.id = ANY (p_responses))
    ORDER BY e.id FOR NO KEY UPDATE;
    RETURN QUERY
    UPDATE public.entity_responses r SET assigned_to = p_to
    WHERE r.tenant_id = tenant AND r.id = ANY (p_responses) AND r.assigned_to IS DISTINCT FROM p_to
    RETURNING r.id, r.entity_id;
END;
$$;
CREATE FUNCTION public.auth_key(p_hash bytea) RETURNS TABLE(tenant_id uuid, tenant_slug text, key_id uuid, key_role text, scopes text[], user_id uuid, user_name text, user_role text, agent_id uuid, agent_name text, agent_active boolean, expires_at timestamp with time zone, revoked_at timestamp with time zone, last_used_at timestamp with time zone)
    LANGUAGE plpgsql
    AS $$
DECLARE
    owner record;
BEGIN
    SELECT h.tenant_id, h.key_id INTO owner FROM public.key_hash_owner(p_hash) h;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    EXECUTE format('SET LOCAL app.tenant = %L', owner.tenant_id);
    SELECT k.tenant_id, t.slug, k.id, k.role, k.scopes,
           k.user_id, m.role, k.agent_id, a.name, a.active,
           k.expires_at, k.revoked_at, k.last_used_at
    INTO tenant_id, tenant_slug, key_id, key_role, scopes, user_id, user_role, agent_id, agent_name, agent_active,
         expires_at, revoked_at, last_used_at
    FROM public.api_keys k
    JOIN public.tenants t ON t.id = k.tenant_id
    LEFT JOIN public.memberships m ON m.tenant_id = k.tenant_id AND m.user_id = k.user_id
    LEFT JOIN public.agents a ON a.tenant_id = k.tenant_id AND a.id = k.agent_id
    WHERE k.tenant_id = owner.tenant_id AND k.id = owner.key_id;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    IF user_role IS NOT NULL THEN
        user_name := (SELECT p.name FROM public.parties p
                      WHERE p.tenant_id = auth_key.tenant_id AND p.kind = 'user' AND p.id = auth_key.user_id);
    END IF;
    RETURN NEXT;
END;
$$;
CREATE FUNCTION public.auth_password(p_email text) RETURNS TABLE(user_id uuid, password_hash text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
    SELECT u.id, u.password_hash FROM public.users u
    WHERE u.email = lower(p_email) AND u.password_hash IS NOT NULL ORDER BY u.created_at, u.id
$$;
CREATE FUNCTION public.auth_session(p_hash bytea, p_slug text) RETURNS TABLE(account_id uuid, email text, account_name text, expires_at timestamp with time zone, workspaces jsonb, tenant_id uuid, tenant_slug text, user_id uuid, user_name text, role text, last_seen_at timestamp with time zone)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
BEGIN
    SELECT u.id, u.email, u.name, s.expires_at,
           coalesce((SELECT jsonb_agg(jsonb_build_object('slug', t.slug, 'name', t.name, 'role', m.role,
                                                         'user_id', m.user_id)
                                      ORDER BY m.created_at, t.slug)
                     FROM public.memberships m JOIN public.tenants t ON t.id = m.tenant_id
                     WHERE m.account_id = u.id AND s.created_at > coalesce(m.signed_in_after, '-infinity')), '[]'),
           chosen.id, chosen.slug, chosen.user_id, chosen.role, s.last_seen_at
    INTO account_id, email, account_name, expires_at, workspaces, tenant_id, tenant_slug, user_id, role, last_seen_at
    FROM public.sign_in_sessions s
    JOIN public.users u ON u.id = s.user_id
    LEFT JOIN LATERAL (
        SELECT t.id, t.slug, m.user_id, m.role
        FROM public.memberships m JOIN public.tenants t ON t.id = m.tenant_id
        WHERE m.account_id = u.id AND (p_slug IS NULL OR t.slug = p_slug)
          AND s.created_at > coalesce(m.signed_in_after, '-infinity')
        ORDER BY m.created_at, t.slug LIMIT 1
    ) chosen ON true
    WHERE s.hash = p_hash AND s.expires_at > now();
    IF account_id IS NULL THEN
        RETURN;
    END IF;
    EXECUTE format('SET LOCAL app.tenant = %L', coalesce(tenant_id::text, ''));
    user_name := (SELECT p.name FROM public.parties p
                  WHERE p.tenant_id = auth_session.tenant_id AND p.kind = 'user' AND p.id = auth_session.user_id);
    RETURN NEXT;
END;
$$;
CREATE FUNCTION public.begin_second_factor(p_session bytea, p_secret bytea) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
BEGIN
    INSERT INTO public.second_factors AS f (account_id, secret)
    SELECT s.user_id, p_secret FROM public.sign_in_sessions s WHERE s.hash = p_session AND s.expires_at > now()
    ON CONFLICT (account_id) DO UPDATE SET secret = excluded.secret, last_step = 0, created_at = excluded.created_at
    WHERE f.confirmed_at IS NULL;
    RETURN FOUND;
END;
$$;
CREATE FUNCTION public.cancel_job(p_id uuid) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'procrastinate', 'pg_temp'
    AS $$
DECLARE
    found_id bigint;
BEGIN
    SELECT j.id INTO found_id FROM procrastinate_jobs j
    WHERE j.args ->> 'id' = p_id::text AND j.args ? 'id'
      AND j.args ->> 'tenant_id' = nullif(current_setting('app.tenant', true), '') AND j.status IN ('todo', 'doing')
    FOR UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM procrastinate_cancel_job_v1(found_id, true, false);
    PERFORM public.notify_change('jobs', p_id::text);
    RETURN true;
END;
$$;
CREATE FUNCTION public.chain_back(p_refs text[], p_vias text[], p_fan integer, p_people boolean, p_claim_type text, p_claim_field text) RETURNS TABLE(parent text, ref text, relation text, via text)
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    me uuid := nullif(current_setting('app.user_id', true), '')::uuid;
    kinds text[] := ARRAY(SELECT DISTINCT split_part(f.r, ':', 1) FROM unnest(p_refs) f (r));  -- of which a level has few
    fields text[] := CASE WHEN 'field' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT f.r FROM unnest(p_refs) f (r) WHERE f.r LIKE 'field:%') ELSE '{}' END;
    records uuid[] := CASE WHEN 'record' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT substr(f.r, 8)::uuid FROM unnest(p_refs) f (r) WHERE f.r LIKE 'record:%') ELSE '{}' END;
    claims uuid[] := CASE WHEN 'claim' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT substr(f.r, 7)::uuid FROM unnest(p_refs) f (r) WHERE f.r LIKE 'claim:%') ELSE '{}' END;
    responses uuid[] := CASE WHEN 'response' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT substr(f.r, 10)::uuid FROM unnest(p_refs) f (r) WHERE f.r LIKE 'response:%') ELSE '{}' END;
    sessions uuid[] := CASE WHEN 'session' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT substr(f.r, 9)::uuid FROM unnest(p_refs) f (r) WHERE f.r LIKE 'session:%') ELSE '{}' END;
    manifests text[] := CASE WHEN 'manifest' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT substr(f.r, 10) FROM unnest(p_refs) f (r) WHERE f.r LIKE 'manifest:%') ELSE '{}' END;
    knowledge uuid[] := CASE WHEN 'knowledge' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT substr(f.r, 11)::uuid FROM unnest(p_refs) f (r) WHERE f.r LIKE 'knowledge:%') ELSE '{}' END;
    feedbacks uuid[] := CASE WHEN 'feedback' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT substr(f.r, 10)::uuid FROM unnest(p_refs) f (r) WHERE f.r LIKE 'feedback:%') ELSE '{}' END;
    goldens uuid[] := CASE WHEN 'golden' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT substr(f.r, 8)::uuid FROM unnest(p_refs) f (r) WHERE f.r LIKE 'golden:%') ELSE '{}' END;
    agents text[] := CASE WHEN 'agent' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT f.r FROM unnest(p_refs) f (r) WHERE f.r LIKE 'agent:%@%') ELSE '{}' END;
BEGIN
    -- Keys are read out of references before they are compared: under a policy of rows PostgreSQL asks no index for what is
    -- computed beside it, and would read all of a table.
    IF fields <> '{}' THEN
        RETURN QUERY
        SELECT f.r, CASE WHEN h.kind = 'promotion' THEN 'response:' || h.response_id WHEN h.kind = 'aggregate' THEN 'claim:' || h.entity_id
                         WHEN h.actor_kind IN ('user', 'agent') THEN h.actor_kind || ':' || h.actor_id END,
               CASE h.kind WHEN 'promotion' THEN 'promoted_from' WHEN 'aggregate' THEN 'counted_from' ELSE 'edited_by' END,
               CASE WHEN h.kind = 'promotion' THEN ARRAY[h.dimension_key]::text ELSE '' END
        FROM (SELECT x.r, substr(x.r, 7, 36)::uuid AS id, substr(x.r, 44) AS field FROM unnest(fields) x (r) OFFSET 0) f
        JOIN public.entity_field_sources s ON s.tenant_id = tenant AND s.entity_id = f.id AND s.field = f.field
        JOIN public.entity_field_history h ON h.tenant_id = tenant AND h.id = s.history_id
        WHERE h.kind IN ('promotion', 'aggregate') OR h.kind = 'edit' AND h.actor_kind <> 'system';
    END IF;
    IF records <> '{}' THEN
        RETURN QUERY
        SELECT 'record:' || x.id, 'field:' || s.entity_id || '/' || s.field, 'has', ''
        FROM unnest(records) x (id)
        JOIN public.entity_field_sources s ON s.tenant_id = tenant AND s.entity_id = x.id
        JOIN public.entity_field_history h ON h.tenant_id = tenant AND h.id = s.history_id AND h.kind IN ('promotion', 'aggregate');
    END IF;
    IF claims <> '{}' THEN
        RETURN QUERY
        SELECT 'claim:' || x.id, 'record:' || s.source_id, 'supported_by', ''
        FROM unnest(claims) x (id)
        CROSS JOIN LATERAL (
            SELECT r.source_id FROM public.entity_relations r
            JOIN public.entities e ON e.tenant_id = r.tenant_id AND e.id = r.source_id
            JOIN public.entity_types t ON t.tenant_id = e.tenant_id AND t.id = e.type_id AND t.slug = p_claim_type
            WHERE r.tenant_id = tenant AND r.target_id = x.id AND r.field_key = p_claim_field LIMIT p_fan
        ) s;
    END IF;
    IF responses <> '{}' THEN
        RETURN QUERY
        SELECT f.r, s.ref, CASE WHEN s.ref LIKE 'session:%' THEN 'found_in' ELSE 'cites' END, ''
        FROM (SELECT x.r, x.v, substr(x.r, 10)::uuid AS id FROM unnest(p_refs, p_vias) x (r, v) WHERE x.r LIKE 'response:%' OFFSET 0) f
        JOIN public.response_sources s ON s.tenant_id = tenant AND s.response_id = f.id
        WHERE (f.v = '' OR s.dimensions && f.v::text[]);
        RETURN QUERY
        SELECT 'response:' || r.id,
               CASE WHEN r.submitted_by_user IS NOT NULL THEN 'user:' || r.submitted_by_user ELSE 'agent:' || r.submitted_by_agent END,
               'submitted_by', ''
        FROM public.entity_responses r
        WHERE r.tenant_id = tenant AND r.id = ANY (responses) AND (r.submitted_by_user IS NOT NULL
            OR r.submitted_by_agent IS NOT NULL AND NOT EXISTS (  -- of which its session says more
                SELECT FROM public.response_sources s
                WHERE s.tenant_id = tenant AND s.response_id = r.id AND s.ref LIKE 'session:%'));
        RETURN QUERY
        SELECT 'response:' || r.id, 'feedback:' || f.id, 'corrected_by', ''
        FROM public.entity_responses r
        JOIN public.feedback f ON f.tenant_id = r.tenant_id AND f.response_id = r.parent_response_id AND f.withdrawn_at IS NULL
        WHERE r.tenant_id = tenant AND r.id = ANY (responses) AND r.parent_response_id IS NOT NULL;
    END IF;
    IF sessions <> '{}' THEN
        RETURN QUERY
        SELECT 'session:' || s.id, 'manifest:' || s.manifest, 'ran_with', '' FROM public.sessions s
        WHERE s.tenant_id = tenant AND s.id = ANY (sessions) AND s.manifest IS NOT NULL;
        RETURN QUERY
        SELECT 'session:' || s.id, 'agent:' || s.agent_id || coalesce('@' || s.agent_version, ''), 'run_by', '' FROM public.sessions s
        WHERE s.tenant_id = tenant AND s.id = ANY (sessions) AND s.agent_id IS NOT NULL;
    END IF;
    IF manifests <> '{}' THEN
        RETURN QUERY
        SELECT 'manifest:' || m.hash, 'knowledge:' || k.id, 'held', ''
        FROM public.prompt_manifests m CROSS JOIN LATERAL unnest(m.row_ids) k (id)
        WHERE m.tenant_id = tenant AND m.hash = ANY (manifests);
    END IF;
    IF knowledge <> '{}' THEN
        RETURN QUERY
        SELECT 'knowledge:' || s.row_id, 'feedback:' || s.feedback_id, 'learnt_from', '' FROM public.shared_context_support s
        WHERE s.tenant_id = tenant AND s.row_id = ANY (knowledge) AND s.lost_at IS NULL;
        RETURN QUERY
        SELECT 'knowledge:' || c.id, 'user:' || c.created_by_user_id, 'written_by', '' FROM public.shared_context c
        WHERE c.tenant_id = tenant AND c.id = ANY (knowledge) AND c.created_by_user_id IS NOT NULL;
    END IF;
    IF feedbacks <> '{}' THEN
        RETURN QUERY
        SELECT 'feedback:' || f.id, CASE WHEN f.response_id IS NOT NULL THEN 'response:' || f.response_id ELSE 'session:' || f.session_id END,
               'about', ''
        FROM public.feedback f
        WHERE f.tenant_id = tenant AND f.id = ANY (feedbacks) AND (f.response_id IS NOT NULL OR f.session_id IS NOT NULL);
        RETURN QUERY
        SELECT 'feedback:' || f.id, CASE WHEN f.created_by IS NOT NULL THEN 'user:' || f.created_by ELSE 'agent:' || f.created_by_id END,
               'said_by', ''
        FROM public.feedback f
        WHERE f.tenant_id = tenant AND f.id = ANY (feedbacks) AND (p_people OR f.created_by = me)
          AND (f.created_by IS NOT NULL OR f.created_by_kind = 'agent' AND f.end_user IS NULL);
    END IF;
    IF agents <> '{}' THEN
        RETURN QUERY
        SELECT x.r, 'user:' || v.created_by_id, 'configured_by', ''
        FROM (SELECT a.r, substr(a.r, 7, 36)::uuid AS id, substr(a.r, 44)::integer AS version FROM unnest(agents) a (r) OFFSET 0) x
        JOIN public.agent_versions v ON v.tenant_id = tenant AND v.agent_id = x.id AND v.version = x.version
        WHERE v.created_by_kind = 'user' AND v.created_by_id IS NOT NULL;
    END IF;
    IF goldens <> '{}' THEN
        RETURN QUERY
        SELECT 'golden:' || g.session_id, 'session:' || g.session_id, 'frozen_from', '' FROM public.goldens g
        WHERE g.tenant_id = tenant AND g.session_id = ANY (goldens);
        RETURN QUERY
        SELECT 'golden:' || a.golden_id, 'session:' || a.session_id, 'accepts', '' FROM public.golden_alternatives a
        WHERE a.tenant_id = tenant AND a.golden_id = ANY (goldens);
    END IF;
END;
$$;
CREATE FUNCTION public.chain_forward(p_refs text[], p_vias text[], p_fan integer, p_people boolean, p_claim_type text, p_claim_field text, p_doubts boolean) RETURNS TABLE(parent text, ref text, relation text, via text)
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    me uuid := nullif(current_setting('app.user_id', true), '')::uuid;
    kinds text[] := ARRAY(SELECT DISTINCT split_part(f.r, ':', 1) FROM unnest(p_refs) f (r));  -- of which a level has few
    cited text[] := ARRAY(SELECT DISTINCT f.r FROM unnest(p_refs) f (r)
        WHERE f.r LIKE 'source:%' OR f.r LIKE 'record:%' OR f.r LIKE 'field:%');
    found_in text[] := CASE WHEN 'session' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT f.r FROM unnest(p_refs) f (r) WHERE f.r LIKE 'session:%') ELSE '{}' END;
    in_use text[];
    source_type uuid;
    fields text[] := CASE WHEN 'field' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT f.r FROM unnest(p_refs) f (r) WHERE f.r LIKE 'field:%') ELSE '{}' END;
    records uuid[] := CASE WHEN 'record' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT substr(f.r, 8)::uuid FROM unnest(p_refs) f (r) WHERE f.r LIKE 'record:%') ELSE '{}' END;
    claims uuid[] := CASE WHEN 'claim' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT substr(f.r, 7)::uuid FROM unnest(p_refs) f (r) WHERE f.r LIKE 'claim:%') ELSE '{}' END;
    responses uuid[] := CASE WHEN 'response' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT substr(f.r, 10)::uuid FROM unnest(p_refs) f (r) WHERE f.r LIKE 'response:%') ELSE '{}' END;
    sessions uuid[] := CASE WHEN 'session' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT substr(f.r, 9)::uuid FROM unnest(p_refs) f (r) WHERE f.r LIKE 'session:%') ELSE '{}' END;
    ran text[] := CASE WHEN 'manifest' = ANY (kinds) OR 'agent' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT f.r FROM unnest(p_refs) f (r) WHERE f.r LIKE 'manifest:%' OR f.r LIKE 'agent:%') ELSE '{}' END;
    knowledge uuid[] := CASE WHEN 'knowledge' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT substr(f.r, 11)::uuid FROM unnest(p_refs) f (r) WHERE f.r LIKE 'knowledge:%') ELSE '{}' END;
    feedbacks uuid[] := CASE WHEN 'feedback' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT substr(f.r, 10)::uuid FROM unnest(p_refs) f (r) WHERE f.r LIKE 'feedback:%') ELSE '{}' END;
    users uuid[] := CASE WHEN 'user' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT substr(f.r, 6)::uuid FROM unnest(p_refs) f (r) WHERE f.r LIKE 'user:%') ELSE '{}' END;
    agents text[] := CASE WHEN 'agent' = ANY (kinds) THEN
        ARRAY(SELECT DISTINCT f.r FROM unnest(p_refs) f (r) WHERE f.r LIKE 'agent:%') ELSE '{}' END;
BEGIN
    IF cited <> '{}' THEN
        RETURN QUERY
        SELECT c.r, 'response:' || s.response_id, 'cites', s.dimensions::text
        FROM unnest(cited) c (r)
        CROSS JOIN LATERAL (
            SELECT x.response_id, x.dimensions FROM public.response_sources x
            WHERE x.tenant_id = tenant AND x.ref = c.r ORDER BY x.response_id DESC LIMIT p_fan
        ) s;
    END IF;
    IF responses <> '{}' THEN
        RETURN QUERY
        SELECT f.r, 'field:' || h.entity_id || '/' || h.field, 'promoted_from', ''
        FROM (SELECT x.r, x.v, substr(x.r, 10)::uuid AS id FROM unnest(p_refs, p_vias) x (r, v) WHERE x.r LIKE 'response:%' OFFSET 0) f
        JOIN public.entity_field_history h ON h.tenant_id = tenant AND h.response_id = f.id AND h.kind = 'promotion'
        JOIN public.entity_field_sources s ON s.tenant_id = tenant AND s.entity_id = h.entity_id AND s.field = h.field AND s.history_id = h.id
        WHERE (f.v = '' OR h.dimension_key = ANY (f.v::text[]));
        RETURN QUERY
        SELECT 'response:' || r.id, 'feedback:' || f.id, 'about', ''
        FROM unnest(responses) r (id)
        CROSS JOIN LATERAL (
            SELECT x.id FROM public.feedback x
            WHERE x.tenant_id = tenant AND x.response_id = r.id AND NOT (p_doubts AND x.rating = 'negative')
            ORDER BY x.created_at DESC, x.id DESC LIMIT p_fan
        ) f;
    END IF;
    IF fields <> '{}' OR records <> '{}' THEN
        SELECT t.id INTO source_type FROM public.entity_types t WHERE t.tenant_id = tenant AND t.slug = p_claim_type;
    END IF;
    IF fields <> '{}' THEN  -- to records that something rests on in turn
        in_use := ARRAY(
            SELECT DISTINCT x.ref FROM public.response_sources x
            WHERE x.tenant_id = tenant AND x.ref = ANY (ARRAY(SELECT DISTINCT 'record:' || substr(f.r, 7, 36) FROM unnest(fields) f (r))));
        IF source_type IS NOT NULL THEN
            in_use := in_use || ARRAY(
                SELECT DISTINCT 'record:' || e.id FROM public.entities e
                JOIN public.entity_relations r ON r.tenant_id = e.tenant_id AND r.source_id = e.id AND r.field_key = p_claim_field
                WHERE e.tenant_id = tenant AND e.type_id = source_type
                  AND e.id = ANY (ARRAY(SELECT DISTINCT substr(f.r, 7, 36)::uuid FROM unnest(fields) f (r))));
        END IF;
        IF in_use <> '{}' THEN
            RETURN QUERY
            SELECT f.r, 'record:' || s.entity_id, 'has', ''
            FROM (SELECT x.r, substr(x.r, 7, 36)::uuid AS id, substr(x.r, 44) AS field FROM unnest(fields) x (r) OFFSET 0) f
            JOIN public.entity_field_sources s ON s.tenant_id = tenant AND s.entity_id = f.id AND s.field = f.field
            JOIN public.entity_field_history h ON h.tenant_id = tenant AND h.id = s.history_id AND h.kind IN ('promotion', 'aggregate')
            WHERE 'record:' || substr(f.r, 7, 36) = ANY (in_use);
        END IF;
    END IF;
    IF records <> '{}' AND source_type IS NOT NULL THEN
        RETURN QUERY
        SELECT 'record:' || r.source_id, 'claim:' || r.target_id, 'supported_by', ''
        FROM public.entity_relations r
        JOIN public.entities e ON e.tenant_id = r.tenant_id AND e.id = r.source_id AND e.type_id = source_type
        WHERE r.tenant_id = tenant AND r.source_id = ANY (records) AND r.field_key = p_claim_field;
    END IF;
    IF claims <> '{}' THEN
        RETURN QUERY
        SELECT 'claim:' || s.entity_id, 'field:' || s.entity_id || '/' || s.field, 'counted_from', ''
        FROM public.entity_field_sources s
        JOIN public.entity_field_history h ON h.tenant_id = s.tenant_id AND h.id = s.history_id AND h.kind = 'aggregate'
        WHERE s.tenant_id = tenant AND s.entity_id = ANY (claims);
    END IF;
    IF sessions <> '{}' THEN
        RETURN QUERY
        SELECT c.r, 'response:' || s.response_id, 'found_in', s.dimensions::text
        FROM unnest(found_in) c (r)
        CROSS JOIN LATERAL (
            SELECT x.response_id, x.dimensions FROM public.response_sources x
            WHERE x.tenant_id = tenant AND x.ref = c.r ORDER BY x.response_id DESC LIMIT p_fan
        ) s;
        RETURN QUERY
        SELECT 'session:' || s.id, 'feedback:' || f.id, 'about', ''
        FROM unnest(sessions) s (id)
        CROSS JOIN LATERAL (
            SELECT x.id FROM public.feedback x
            WHERE x.tenant_id = tenant AND x.session_id = s.id AND x.response_id IS NULL AND NOT (p_doubts AND x.rating = 'negative')
            ORDER BY x.created_at DESC, x.id DESC LIMIT p_fan
        ) f;
        RETURN QUERY
        SELECT 'session:' || g.session_id, 'golden:' || g.session_id, 'frozen_from', '' FROM public.goldens g
        WHERE g.tenant_id = tenant AND g.session_id = ANY (sessions);
        RETURN QUERY
        SELECT 'session:' || a.session_id, 'golden:' || a.golden_id, 'accepts', '' FROM public.golden_alternatives a
        WHERE a.tenant_id = tenant AND a.session_id = ANY (sessions);
    END IF;
    IF ran <> '{}' THEN
        RETURN QUERY SELECT * FROM public.chain_sessions(ran, p_fan);
    END IF;
    IF knowledge <> '{}' THEN
        RETURN QUERY
        SELECT 'knowledge:' || k.id, 'manifest:' || r.manifest, 'held', ''
        FROM unnest(knowledge) k (id)
        CROSS JOIN LATERAL (
            SELECT x.manifest
            FROM (SELECT y.manifest FROM public.prompt_manifest_rows y WHERE y.tenant_id = tenant AND y.row_id = k.id LIMIT 50000) x
            JOIN public.prompt_manifests m ON m.tenant_id = tenant AND m.hash = x.manifest
            ORDER BY m.last_had_at DESC, m.hash LIMIT p_fan
        ) r;
    END IF;
    IF feedbacks <> '{}' THEN
        RETURN QUERY
        SELECT 'feedback:' || s.feedback_id, 'knowledge:' || s.row_id, 'learnt_from', '' FROM public.shared_context_support s
        WHERE s.tenant_id = tenant AND s.feedback_id = ANY (feedbacks) AND s.lost_at IS NULL;
        RETURN QUERY
        SELECT 'feedback:' || f.id, 'response:' || r.id, 'corrected_by', ''
        FROM public.feedback f
        JOIN public.entity_responses r ON r.tenant_id = f.tenant_id AND r.parent_response_id = f.response_id
        WHERE f.tenant_id = tenant AND f.id = ANY (feedbacks) AND f.response_id IS NOT NULL AND f.withdrawn_at IS NULL;
    END IF;
    IF agents <> '{}' THEN
        RETURN QUERY
        SELECT a.r, 'response:' || r.id, 'submitted_by', ''
        FROM (SELECT x.r, substr(x.r, 7, 36)::uuid AS id FROM unnest(agents) x (r) WHERE x.r NOT LIKE '%@%' OFFSET 0) a
        CROSS JOIN LATERAL (
            SELECT x.id FROM public.entity_responses x
            WHERE x.tenant_id = tenant AND x.submitted_by_agent = a.id AND x.withdrawn_at IS NULL
              AND NOT EXISTS (
                SELECT FROM public.response_sources s
                WHERE s.tenant_id = tenant AND s.response_id = x.id AND s.ref LIKE 'session:%')
            ORDER BY x.created_at DESC, x.id DESC LIMIT p_fan
        ) r;
        RETURN QUERY
        SELECT a.r, 'feedback:' || f.id, 'said_by', ''
        FROM (SELECT x.r, substr(x.r, 7, 36)::uuid AS id FROM unnest(agents) x (r) WHERE x.r NOT LIKE '%@%' OFFSET 0) a
        CROSS JOIN LATERAL (
            SELECT x.id FROM public.feedback x
            WHERE x.tenant_id = tenant AND x.created_by_id = a.id AND x.created_by_kind = 'agent'
              AND x.end_user IS NULL AND x.created_by IS NULL
            ORDER BY x.created_at DESC, x.id DESC LIMIT p_fan
        ) f WHERE p_people;
    END IF;
    IF users <> '{}' THEN
        RETURN QUERY
        SELECT 'user:' || u.id, 'response:' || r.id, 'submitted_by', ''
        FROM unnest(users) u (id)
        CROSS JOIN LATERAL (
            SELECT x.id FROM public.entity_responses x
            WHERE x.tenant_id = tenant AND x.submitted_by_user = u.id AND x.withdrawn_at IS NULL
            ORDER BY x.created_at DESC, x.id DESC LIMIT p_fan
        ) r;
        RETURN QUERY
        SELECT 'user:' || u.id, 'feedback:' || f.id, 'said_by', ''
        FROM unnest(users) u (id)
        CROSS JOIN LATERAL (
            SELECT x.id FROM public.feedback x
            WHERE x.tenant_id = tenant AND x.created_by = u.id ORDER BY x.created_at DESC, x.id DESC LIMIT p_fan
        ) f WHERE p_people OR u.id = me;
        RETURN QUERY
        SELECT 'user:' || u.id, 'knowledge:' || k.id, 'written_by', ''
        FROM unnest(users) u (id)
        CROSS JOIN LATERAL (
            SELECT x.id FROM public.shared_context x
            WHERE x.tenant_id = tenant AND x.created_by_user_id = u.id ORDER BY x.created_at DESC, x.id DESC LIMIT p_fan
        ) k;
        RETURN QUERY
        SELECT 'user:' || v.created_by_id, 'agent:' || v.agent_id || '@' || v.version, 'configured_by', ''
        FROM public.agent_versions v WHERE v.tenant_id = tenant AND v.created_by_kind = 'user' AND v.created_by_id = ANY (users);
    END IF;
END;
$$;
CREATE FUNCTION public.chain_sessions(p_refs text[], p_fan integer) RETURNS TABLE(parent text, ref text, relation text, via text)
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    looked integer := 50000;  -- of all together, each by four keys: half a second
    each integer := greatest(1000, looked / cardinality(p_refs));
    named integer := 100 / cardinality(p_refs);  -- of those that nothing rests on, so that it is seen what they are
BEGIN
    RETURN QUERY
    WITH found AS MATERIALIZED (
        SELECT f.r, s.id, s.place,
               EXISTS (SELECT FROM public.response_sources y WHERE y.tenant_id = tenant AND y.ref = 'session:' || s.id)
               OR EXISTS (SELECT FROM public.feedback y WHERE y.tenant_id = tenant AND y.session_id = s.id AND y.response_id IS NULL)
               OR EXISTS (SELECT FROM public.goldens y WHERE y.tenant_id = tenant AND y.session_id = s.id)
               OR EXISTS (SELECT FROM public.golden_alternatives y WHERE y.tenant_id = tenant AND y.session_id = s.id) AS used
        FROM (
            SELECT g.r, CASE WHEN g.r LIKE 'manifest:%' THEN substr(g.r, 10) END AS manifest,
                   CASE WHEN g.r LIKE 'agent:%' THEN substr(g.r, 7, 36)::uuid END AS agent,
                   CASE WHEN g.r LIKE 'agent:%@%' THEN substr(g.r, 44)::integer END AS version
            FROM unnest(p_refs) g (r)
        ) f
        CROSS JOIN LATERAL (
            (SELECT x.id, row_number() OVER (ORDER BY x.created_at DESC, x.id DESC) AS place FROM public.sessions x
             WHERE x.tenant_id = tenant AND x.manifest = f.manifest AND x.purpose <> 'replay' AND x.purpose <> 'judging'
             ORDER BY x.created_at DESC, x.id DESC LIMIT each)
            UNION ALL
            (SELECT x.id, row_number() OVER (ORDER BY x.created_at DESC, x.id DESC) FROM public.sessions x
             WHERE x.tenant_id = tenant AND x.agent_id = f.agent AND x.agent_version = f.version
               AND x.purpose <> 'replay' AND x.purpose <> 'judging'
             ORDER BY x.created_at DESC, x.id DESC LIMIT each)
            UNION ALL
            (SELECT x.id, row_number() OVER (ORDER BY x.created_at DESC, x.id DESC) FROM public.sessions x
             WHERE x.tenant_id = tenant AND x.agent_id = f.agent AND x.agent_version IS NULL AND f.version IS NULL
               AND x.purpose <> 'replay' AND x.purpose <> 'judging'
             ORDER BY x.created_at DESC, x.id DESC LIMIT each)
        ) s LIMIT looked
    ), numbered AS (
        SELECT f.r, f.id, f.used, row_number() OVER (PARTITION BY f.r, f.used ORDER BY f.place) AS place FROM found f
    ), counted AS (
        SELECT f.r, count(*) AS sessions, count(*) FILTER (WHERE NOT f.used) AS unused FROM found f GROUP BY f.r
    )
    SELECT n.r, 'session:' || n.id, CASE WHEN n.r LIKE 'manifest:%' THEN 'ran_with' ELSE 'run_by' END, ''
    FROM numbered n WHERE n.place <= CASE WHEN n.used THEN p_fan ELSE named END
    UNION ALL
    SELECT c.r, '', 'unused', (c.unused - named)::text FROM counted c WHERE c.unused > named
    UNION ALL
    SELECT g.r, '', 'cut', '' FROM unnest(p_refs) g (r) LEFT JOIN counted c ON c.r = g.r
    WHERE c.sessions >= each OR (SELECT sum(d.sessions) FROM counted d) >= looked;
END;
$$;
CREATE FUNCTION public.change_entity_words(p_entity uuid, p_gone text[], p_new text[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    IF cardinality(p_gone) > 0 THEN
        DELETE FROM public.entity_words WHERE tenant_id = tenant AND entity_id = p_entity AND word = ANY (p_gone);
    END IF;
    IF cardinality(p_new) > 0 THEN
        INSERT INTO public.entity_words (tenant_id, word, entity_id) SELECT tenant, w, p_entity FROM unnest(p_new) w
        ON CONFLICT DO NOTHING;
    END IF;
END;
$$;
CREATE FUNCTION public.change_password(p_session bytea, p_password_hash text, p_seen text[]) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
DECLARE
    account uuid;
BEGIN
    SELECT s.user_id INTO account FROM public.sign_in_sessions s WHERE s.hash = p_session AND s.expires_at > now();
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    IF NOT public.set_password(account, p_password_hash, p_seen) THEN
        RETURN false;
    END IF;
    DELETE FROM public.sign_in_sessions WHERE user_id = account AND hash <> p_session;
    RETURN true;
END;
$$;
CREATE FUNCTION public.claim_account(p_account uuid, p_issuer text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
BEGIN
    PERFORM public.lock_accounts((SELECT u.email FROM public.users u WHERE u.id = p_account));
    IF EXISTS (SELECT FROM public.memberships m WHERE m.account_id = p_account AND m.role = 'owner')
       OR EXISTS (SELECT FROM public.identities i WHERE i.account_id = p_account AND i.issuer = p_issuer) THEN
        RETURN false;
    END IF;
    UPDATE public.users SET password_hash = NULL WHERE id = p_account;
    DELETE FROM public.second_factors WHERE account_id = p_account;
    DELETE FROM public.password_resets WHERE account_id = p_account;
    DELETE FROM public.sign_in_sessions WHERE user_id = p_account;
    PERFORM pg_notify('goldloop_auth', '');
    RETURN true;
END;
$$;
CREATE FUNCTION public.clear_edge_scores(p_source uuid, p_sets uuid[], p_fields text[]) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    changed integer;
    dropped integer;
BEGIN
    UPDATE public.entity_relations r
    SET metadata = CASE WHEN w.scores = '{}' THEN r.metadata - 'scores'
                        ELSE jsonb_set(r.metadata, '{scores}', w.scores) END
    FROM (SELECT o.id, coalesce((SELECT jsonb_object_agg(s.key, s.value)
              FROM jsonb_each(CASE WHEN jsonb_typeof(o.metadata -> 'scores') = 'object' THEN o.metadata -> 'scores' ELSE '{}' END) s
              JOIN unnest(p_sets, p_fields) k (set_id, field) ON k.set_id::text = s.key AND k.field = o.field_key), '{}') AS scores
          FROM public.entity_relations o
          WHERE o.tenant_id = tenant AND o.source_id = p_source AND o.metadata ? 'scores') w
    WHERE r.tenant_id = tenant AND r.id = w.id
      AND (w.scores = '{}' OR (r.metadata -> 'scores') IS DISTINCT FROM w.scores);
    GET DIAGNOSTICS changed = ROW_COUNT;
    DELETE FROM public.relation_scores s
    WHERE s.tenant_id = tenant AND s.source_id = p_source AND NOT EXISTS (
        SELECT FROM public.entity_relations r
        JOIN unnest(p_sets, p_fields) k (set_id, field) ON k.set_id = s.criteria_set_id AND k.field = r.field_key
        WHERE r.tenant_id = tenant AND r.id = s.relation_id AND r.source_id = p_source AND r.field_key = s.field_key);
    GET DIAGNOSTICS dropped = ROW_COUNT;
    RETURN greatest(changed, dropped);
END;
$$;
CREATE FUNCTION public.close_session(p_hash bytea) RETURNS TABLE(provider text, id_token bytea)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
BEGIN
    PERFORM pg_notify('goldloop_auth', '');
    RETURN QUERY DELETE FROM public.sign_in_sessions s WHERE s.hash = p_hash RETURNING s.provider, s.id_token;
END;
$$;
CREATE FUNCTION public.close_workspace() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    DELETE FROM public.api_key_hashes h WHERE h.tenant_id = tenant;
    DELETE FROM public.memberships m WHERE m.tenant_id = tenant;
END;
$$;
CREATE FUNCTION public.compute_response_summary(p_entity uuid, p_set uuid, p_at timestamp with time zone, p_raters integer DEFAULT 1000) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    SET jit TO 'off'
    SET enable_sort TO 'off'
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    newest record;
    raters jsonb;
BEGIN
    SELECT r.id, r.normalized_score, r.source INTO newest FROM public.entity_responses r
    WHERE r.tenant_id = tenant AND r.entity_id = p_entity AND r.withdrawn_at IS NULL AND r.status <> 'rejected'
      AND r.criteria_set_id = p_set AND r.normalized_score IS NOT NULL
    ORDER BY r.created_at DESC, r.id DESC LIMIT 1;
    IF newest.id IS NULL THEN
        RETURN NULL;
    END IF;
    SELECT jsonb_build_object('count', count(*) FILTER (WHERE l.place <= p_raters), 'more', count(*) > p_raters,
        'median', round((percentile_cont(0.5) WITHIN GROUP (ORDER BY l.score) FILTER (WHERE l.place <= p_raters))::numeric, 2)::double precision,
        'min', min(l.score) FILTER (WHERE l.place <= p_raters), 'max', max(l.score) FILTER (WHERE l.place <= p_raters),
        'spread', round((stddev_samp(l.score) FILTER (WHERE l.place <= p_raters))::numeric, 2)::double precision)
    INTO raters
    FROM (SELECT public.score_of_100(o.normalized_score) AS score, o.place
          FROM public.list_raters(p_entity, p_set, '00000000-0000-0000-0000-000000000000', false, true, p_raters + 1)
              WITH ORDINALITY o (rater, no_agent, response_id, normalized_score, place)) l;
    RETURN jsonb_build_object('latest_score', public.score_of_100(newest.normalized_score), 'latest_response_id', newest.id,
        'latest_criteria_set_id', p_set, 'latest_source', newest.source, 'score_scale_max', 100, 'updated_at', p_at,
        'raters', raters);
END;
$$;
CREATE FUNCTION public.count_jobs(p_statuses text[], p_most integer) RETURNS integer
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'procrastinate', 'pg_temp'
    AS $$
DECLARE
    tenant text := nullif(current_setting('app.tenant', true), '');
BEGIN
    RETURN (SELECT count(*) FROM (
        SELECT FROM procrastinate_jobs j
        WHERE j.args ? 'id' AND j.args ->> 'tenant_id' = tenant AND j.status = ANY (p_statuses::procrastinate_job_status[])
        LIMIT p_most) s);
END;
$$;
CREATE FUNCTION public.count_run_usage(p_run uuid, p_tokens bigint, p_cost double precision, p_at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    shards CONSTANT integer := 16;
BEGIN
    INSERT INTO public.run_usage AS u (tenant_id, day, shard, tokens, cost)
    VALUES (tenant, (p_at AT TIME ZONE 'UTC')::date, abs(hashtext(p_run::text) % shards), p_tokens, p_cost)
    ON CONFLICT (tenant_id, day, shard) DO UPDATE SET tokens = u.tokens + excluded.tokens, cost = u.cost + excluded.cost;
END;
$$;
CREATE FUNCTION public.count_sign_in_attempt(p_subject bytea, p_limit integer, p_window interval) RETURNS integer
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO ''
    AS $$
    INSERT INTO public.sign_in_attempts AS a (subject, since, attempts) VALUES (p_subject, now(), 1)
    ON CONFLICT (subject) DO UPDATE SET
        since = CASE WHEN a.since < now() - p_window THEN now() ELSE a.since END,
        attempts = CASE WHEN a.since < now() - p_window THEN 1 ELSE a.attempts + 1 END
    RETURNING CASE WHEN attempts > p_limit
        THEN ceil(extract(epoch FROM since + p_window - now()))::integer ELSE 0 END
$$;
CREATE TABLE public.api_keys (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    prefix text NOT NULL,
    role text NOT NULL,
    scopes text[],
    user_id uuid,
    agent_id uuid,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    created_by_kind text NOT NULL,
    created_by_id uuid,
    expires_at timestamp with time zone,
    last_used_at timestamp with time zone,
    revoked_at timestamp with time zone,
    revoked_by_kind text,
    revoked_by_id uuid,
    CONSTRAINT api_keys_check CHECK (((user_id IS NULL) <> (agent_id IS NULL))),
    CONSTRAINT api_keys_created_by_kind_check CHECK ((created_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text]))),
    CONSTRAINT api_keys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
    CONSTRAINT api_keys_revoked_by_kind_check CHECK ((revoked_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text]))),
    CONSTRAINT api_keys_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'contributor'::text, 'reviewer'::text, 'admin'::text, 'owner'::text])))
);
ALTER TABLE ONLY public.api_keys FORCE ROW LEVEL SECURITY;
CREATE FUNCTION public.create_api_key(p_id uuid, p_hash bytea, p_name text, p_prefix text, p_role text, p_scopes text[], p_user uuid, p_agent uuid, p_actor_kind text, p_actor uuid, p_expires_at timestamp with time zone, p_event uuid) RETURNS TABLE(key public.api_keys, event jsonb)
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    INSERT INTO public.api_keys (tenant_id, id, name, prefix, role, scopes, user_id, agent_id,
                                 created_by_kind, created_by_id, expires_at)
    VALUES (tenant, p_id, p_name, p_prefix, p_role, p_scopes, p_user, p_agent,
            p_actor_kind, p_actor, p_expires_at)
    ON CONFLICT DO NOTHING
    RETURNING * INTO key;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    PERFORM public.put_key_hash(p_hash, p_id);
    event := public.emit_event(p_event, 'key.created', 'keys', p_id::text, jsonb_build_object('name', p_name));
    RETURN NEXT;
END;
$$;
CREATE FUNCTION public.create_entity(p_id uuid, p_type uuid, p_type_version integer, p_title text, p_content jsonb, p_metadata jsonb, p_words text[]) RETURNS text
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    actor text := current_setting('app.actor', true);
    type_version integer;
BEGIN
    SELECT t.version INTO type_version FROM public.entity_types t
    WHERE t.tenant_id = tenant AND t.id = p_type FOR SHARE;
    IF type_version IS DISTINCT FROM p_type_version THEN
        RETURN 'stale';
    END IF;
    INSERT INTO public.entities (tenant_id, id, type_id, title, content, metadata, created_by_kind, created_by_id)
    VALUES (tenant, p_id, p_type, p_title, p_content, p_metadata - 'response_summary',  -- the server's own
            split_part(actor, ':', 1), nullif(split_part(actor, ':', 2), '')::uuid)
    ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        RETURN 'taken';
    END IF;
    PERFORM public.change_entity_words(p_id, '{}', p_words);
    PERFORM public.record_field_changes(p_id, 'edit', '{}'::jsonb, p_content, 1);
    RETURN 'made';
END;
$$;
CREATE FUNCTION public.create_tenant(p_id uuid, p_slug text, p_name text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
BEGIN
    INSERT INTO public.tenants (id, slug, name) VALUES (p_id, p_slug, p_name) ON CONFLICT DO NOTHING;
    RETURN FOUND;
END;
$$;
CREATE FUNCTION public.derive_response_status(p_status text, p_promotable text[], p_promoted text[], p_is_source boolean) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT CASE
        WHEN p_status = 'rejected' THEN 'rejected'
        WHEN p_promoted = '{}' THEN 'submitted'
        WHEN NOT p_is_source THEN 'superseded'
        WHEN p_promotable <@ p_promoted THEN 'promoted'
        ELSE 'partially_promoted' END
$$;
CREATE FUNCTION public.edit_entity(p_id uuid, p_expected_version integer, p_type_version integer, p_title text, p_content jsonb, p_metadata jsonb, p_words_gone text[], p_words_new text[]) RETURNS text
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    held record;
    type_version integer;
    moment timestamptz;
BEGIN
    SELECT e.version, e.content, e.metadata -> 'response_summary' AS summary, e.type_id INTO held FROM public.entities e
    WHERE e.tenant_id = tenant AND e.id = p_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN 'absent';
    ELSIF held.version <> p_expected_version THEN
        RETURN 'conflict';
    END IF;
    SELECT t.version INTO type_version FROM public.entity_types t
    WHERE t.tenant_id = tenant AND t.id = held.type_id FOR SHARE;
    IF type_version <> p_type_version THEN
        RETURN 'stale';
    END IF;
    p_metadata := p_metadata - 'response_summary';  -- the server's own, not the editor's
    IF held.summary IS NOT NULL THEN
        p_metadata := p_metadata || jsonb_build_object('response_summary', held.summary);
    END IF;
    moment := public.moment();
    UPDATE public.entities SET title = p_title, content = p_content, version = version + 1,
        metadata = coalesce(p_metadata, metadata), updated_at = moment
    WHERE tenant_id = tenant AND id = p_id;
    PERFORM public.change_entity_words(p_id, p_words_gone, p_words_new);
    PERFORM public.record_field_changes(p_id, 'edit', held.content, p_content, held.version + 1);
    RETURN 'changed';
END;
$$;
CREATE FUNCTION public.emit_event(p_id uuid, p_name text, p_topic text, p_subject text, p_payload jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    actor text := current_setting('app.actor', true);
    origin text := coalesce(current_setting('app.origin', true), '');
BEGIN
    INSERT INTO public.events (tenant_id, id, name, topic, subject_id, payload, actor_kind, actor_id, created_at,
                               key_id, address, request_id)
    VALUES (tenant, p_id, p_name, p_topic, p_subject, p_payload,
            split_part(actor, ':', 1), nullif(split_part(actor, ':', 2), '')::uuid, public.moment(),
            nullif(split_part(origin, '|', 1), '')::uuid, nullif(split_part(origin, '|', 2), ''),
            nullif(split_part(origin, '|', 3), ''));
    PERFORM public.notify_change(p_topic, p_subject, p_payload);
    PERFORM public.queue_webhooks(p_id, p_name);
    RETURN jsonb_build_object('id', p_id, 'name', p_name, 'topic', p_topic, 'subject_id', p_subject, 'payload', p_payload);
END;
$$;
CREATE FUNCTION public.end_member_sessions(p_user uuid) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    account uuid;
BEGIN
    UPDATE public.memberships m SET signed_in_after = clock_timestamp()
    WHERE m.tenant_id = tenant AND m.user_id = p_user AND m.account_id IS NOT NULL
    RETURNING m.account_id INTO account;
    IF account IS NULL THEN
        RETURN false;
    END IF;
    DELETE FROM public.sign_in_sessions s
    WHERE s.user_id = account
      AND NOT EXISTS (SELECT FROM public.memberships m WHERE m.account_id = account AND m.tenant_id <> tenant);
    PERFORM pg_notify('goldloop_auth', '');
    RETURN true;
END;
$$;
CREATE FUNCTION public.end_own_sessions(p_session bytea, p_id uuid) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
DECLARE
    ended integer;
BEGIN
    DELETE FROM public.sign_in_sessions s
    USING public.sign_in_sessions own
    WHERE own.hash = p_session AND own.expires_at > now() AND s.user_id = own.user_id AND s.hash <> p_session
      AND (p_id IS NULL OR s.id = p_id);
    GET DIAGNOSTICS ended = ROW_COUNT;
    PERFORM pg_notify('goldloop_auth', '');
    RETURN ended;
END;
$$;
CREATE FUNCTION public.enqueue_job(p_id uuid, p_name text, p_payload jsonb, p_run_at timestamp with time zone, p_max_attempts integer, p_priority integer, p_queue text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'procrastinate', 'pg_temp'
    AS $$
DECLARE
    tenant text := nullif(current_setting('app.tenant', true), '');
BEGIN
    IF tenant IS NULL THEN
        RAISE EXCEPTION 'A job needs a tenant';
    END IF;
    INSERT INTO procrastinate_jobs (queue_name, task_name, priority, args, scheduled_at)
    VALUES (p_queue, p_name, p_priority,
            jsonb_build_object('id', p_id, 'tenant_id', tenant, 'actor', current_setting('app.actor', true),
                               'max_attempts', p_max_attempts, 'payload', p_payload),
            p_run_at);
    PERFORM public.notify_change('jobs');
END;
$$;
CREATE FUNCTION public.ensure_account(p_tenant uuid, p_id uuid, p_email text, p_password_hash text, p_name text) RETURNS uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
DECLARE
    found_id uuid;
BEGIN
    PERFORM public.lock_accounts(p_email);
    SELECT u.id INTO found_id FROM public.users u WHERE u.email = p_email AND u.password_hash = p_password_hash;
    IF FOUND THEN
        RETURN found_id;
    END IF;
    DELETE FROM public.users u
    WHERE u.email = p_email AND u.made_in = p_tenant
      AND NOT EXISTS (SELECT FROM public.memberships m WHERE m.account_id = u.id)
      AND NOT EXISTS (SELECT FROM public.identities i WHERE i.account_id = u.id);
    INSERT INTO public.users (id, email, name, password_hash, made_in)
    VALUES (p_id, p_email, p_name, p_password_hash, p_tenant);
    RETURN p_id;
END;
$$;
CREATE FUNCTION public.erase_conversation(p_project text, p_conversation text) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    words bigint; messages bigint; turns bigint; conversations bigint;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended(tenant || '/' || p_project || '/' || p_conversation, 0));
    DELETE FROM public.conversation_words w WHERE w.tenant_id = tenant AND w.project = p_project AND w.conversation_id = p_conversation;
    GET DIAGNOSTICS words = ROW_COUNT;
    DELETE FROM public.conv_messages m WHERE m.tenant_id = tenant AND m.project = p_project AND m.conversation_id = p_conversation;
    GET DIAGNOSTICS messages = ROW_COUNT;
    DELETE FROM public.conv_turns t WHERE t.tenant_id = tenant AND t.project = p_project AND t.conversation_id = p_conversation;
    GET DIAGNOSTICS turns = ROW_COUNT;
    DELETE FROM public.conversations c WHERE c.tenant_id = tenant AND c.project = p_project AND c.id = p_conversation;
    GET DIAGNOSTICS conversations = ROW_COUNT;
    RETURN jsonb_build_object('conversations', conversations, 'conv_turns', turns, 'conv_messages', messages,
                              'conversation_words', words);
END;
$$;
CREATE FUNCTION public.erase_group(p_group uuid) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    DELETE FROM public.feedback_group_reviews v WHERE v.tenant_id = tenant AND v.group_id = p_group;
    IF EXISTS (SELECT FROM public.feedback f WHERE f.tenant_id = tenant AND f.group_id = p_group) THEN
        RETURN false;
    END IF;
    DELETE FROM public.feedback_moves m USING public.feedback_decisions d
    WHERE m.tenant_id = tenant AND d.tenant_id = tenant AND d.group_id = p_group AND m.decision_id = d.id;
    DELETE FROM public.feedback_decisions d WHERE d.tenant_id = tenant AND d.group_id = p_group;
    UPDATE public.feedback f SET near_group_id = NULL WHERE f.tenant_id = tenant AND f.near_group_id = p_group;
    DELETE FROM public.feedback_groups g WHERE g.tenant_id = tenant AND g.id = p_group;
    RETURN true;
END;
$$;
CREATE FUNCTION public.erase_knowledge_words(p_row uuid, p_instead text) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    erased jsonb := jsonb_build_object('content', p_instead, 'context', NULL);
    changed bigint;
BEGIN
    UPDATE public.shared_context_history h SET before = h.before || erased, after = h.after || erased
    WHERE h.tenant_id = tenant AND h.row_id = p_row;
    GET DIAGNOSTICS changed = ROW_COUNT;
    UPDATE public.shared_context c SET embedding = NULL, embedding_model = NULL WHERE c.tenant_id = tenant AND c.id = p_row;
    RETURN changed;
END;
$$;
CREATE FUNCTION public.erase_old_events(p_before timestamp with time zone, p_limit integer) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    gone bigint;
BEGIN
    DELETE FROM public.events e WHERE e.tenant_id = tenant AND e.id = ANY (ARRAY(
        SELECT o.id FROM public.events o WHERE o.tenant_id = tenant AND o.created_at < p_before AND o.topic <> 'erasures'
          AND NOT EXISTS (SELECT FROM public.webhook_deliveries d WHERE d.tenant_id = tenant AND d.event_id = o.id AND d.status = 'waiting')
        ORDER BY o.created_at LIMIT p_limit));
    GET DIAGNOSTICS gone = ROW_COUNT;
    RETURN gone;
END;
$$;
CREATE FUNCTION public.erase_quotes(p_row uuid, p_words text, p_instead text) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    manifests text[];
    concerned uuid[];
    inner_words text := p_words;  -- as JSON writes them
    bodies bigint; events bigint; sessions bigint; goldens bigint;
BEGIN
    inner_words := to_json(p_words)::text;
    inner_words := substr(inner_words, 2, length(inner_words) - 2);
    SELECT array_agg(r.manifest) INTO manifests FROM public.prompt_manifest_rows r WHERE r.tenant_id = tenant AND r.row_id = p_row;
    IF manifests IS NULL THEN
        RETURN '{}';
    END IF;
    UPDATE public.prompt_manifests m SET body = replace(m.body, p_words, p_instead)
    WHERE m.tenant_id = tenant AND m.hash = ANY (manifests) AND strpos(m.body, p_words) > 0;
    GET DIAGNOSTICS bodies = ROW_COUNT;
    DELETE FROM public.prompt_heads h WHERE h.tenant_id = tenant AND h.manifest = ANY (manifests);
    SELECT array_agg(s.id) INTO concerned FROM public.sessions s
    WHERE s.tenant_id = tenant AND (s.manifest = ANY (manifests) OR s.metadata #>> '{golden,snapshot,knowledge,manifest}' = ANY (manifests)
        OR s.metadata ? 'eval_source');
    EXECUTE 'SET LOCAL app.goldens = ''open''';
    UPDATE public.sessions s SET input = replace(s.input::text, inner_words, p_instead)::jsonb,
        output = replace(s.output::text, inner_words, p_instead)::jsonb, metadata = replace(s.metadata::text, inner_words, p_instead)::jsonb
    WHERE s.tenant_id = tenant AND s.id = ANY (concerned)
      AND strpos(s.input::text || coalesce(s.output::text, '') || s.metadata::text, inner_words) > 0;
    GET DIAGNOSTICS sessions = ROW_COUNT;
    EXECUTE 'SET LOCAL app.goldens = ''''';
    UPDATE public.session_events e SET payload = replace(e.payload::text, inner_words, p_instead)::jsonb
    WHERE e.tenant_id = tenant AND e.session_id = ANY (concerned) AND strpos(e.payload::text, inner_words) > 0;
    GET DIAGNOSTICS events = ROW_COUNT;
    UPDATE public.goldens g SET private = replace(g.private::text, inner_words, p_instead)::jsonb
    WHERE g.tenant_id = tenant AND g.session_id = ANY (concerned) AND strpos(g.private::text, inner_words) > 0;
    GET DIAGNOSTICS goldens = ROW_COUNT;
    RETURN jsonb_build_object('prompt_manifests (text)', bodies, 'sessions (text)', sessions, 'session_events (text)', events,
                              'goldens (text)', goldens);
END;
$$;
CREATE FUNCTION public.erase_reaction(p_message uuid) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    gone bigint;
BEGIN
    DELETE FROM public.conv_messages m WHERE m.tenant_id = tenant AND m.id = p_message AND m.kind = 'turn.log.reaction';
    GET DIAGNOSTICS gone = ROW_COUNT;
    RETURN jsonb_build_object('conv_messages', gone);
END;
$$;
CREATE FUNCTION public.erase_response(p_response uuid, OUT gone jsonb, OUT kept boolean) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    held record;
    promoted jsonb;
    count bigint;
    moment timestamptz := now();
BEGIN
    SELECT r.entity_id, r.promoted_fields, r."values" AS given INTO held
    FROM public.entity_responses r WHERE r.tenant_id = tenant AND r.id = p_response FOR NO KEY UPDATE;
    gone := '{}';
    kept := false;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    kept := held.promoted_fields <> '{}' OR EXISTS (
        SELECT FROM public.entity_field_history h WHERE h.tenant_id = tenant AND h.entity_id = held.entity_id AND h.response_id = p_response);
    -- A source that nobody else names may be named by whoever retracted it.
    UPDATE public.chain_retractions t SET reason = '(erased)', ref = split_part(t.ref, ':', 1) || ':' || split_part(t.ref, ':', 2) || ':erased ' || t.id::text
    WHERE t.tenant_id = tenant AND t.kind = 'source' AND EXISTS (
        SELECT FROM public.response_sources s WHERE s.tenant_id = tenant AND s.response_id = p_response AND s.ref = t.ref) AND NOT EXISTS (
        SELECT FROM public.response_sources s WHERE s.tenant_id = tenant AND s.response_id <> p_response AND s.ref = t.ref);
    IF kept THEN
        SELECT coalesce(jsonb_object_agg(v.key, v.value), '{}') INTO promoted
        FROM jsonb_each(held.given) AS v (key, value) WHERE v.key = ANY (held.promoted_fields);
        UPDATE public.entity_responses r SET "values" = promoted, field_meta = '{}', notes = NULL, review_notes = NULL
        WHERE r.tenant_id = tenant AND r.id = p_response;
        DELETE FROM public.response_sources s WHERE s.tenant_id = tenant AND s.response_id = p_response;
        gone := '{"entity_responses (text)": 1}';
        RETURN;
    END IF;
    UPDATE public.entity_responses r SET withdrawn_at = coalesce(r.withdrawn_at, moment) WHERE r.tenant_id = tenant AND r.id = p_response;
    PERFORM public.refresh_response_summary(held.entity_id, p_response);
    UPDATE public.entity_responses r SET parent_response_id = NULL WHERE r.tenant_id = tenant AND r.parent_response_id = p_response;
    DELETE FROM public.entity_responses r WHERE r.tenant_id = tenant AND r.id = p_response;
    GET DIAGNOSTICS count = ROW_COUNT;
    gone := jsonb_build_object('entity_responses', count);
END;
$$;
CREATE FUNCTION public.erase_rest() RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    person uuid;
BEGIN
    EXECUTE 'SET LOCAL app.archive = ''open''';
    FOR person IN SELECT DISTINCT m.user_id FROM public.user_memories m WHERE m.tenant_id = tenant LOOP
        EXECUTE format('SET LOCAL app.memories = %L', person);
        DELETE FROM public.user_memories m WHERE m.tenant_id = tenant AND m.user_id = person;
    END LOOP;
    DELETE FROM public.runs r WHERE r.tenant_id = tenant;
END;
$$;
CREATE FUNCTION public.erase_rows(p_table text, p_limit integer) RETURNS bigint
    LANGUAGE plpgsql
    AS $_$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    gone bigint;
BEGIN
    IF p_table = 'entity_responses' THEN  -- which refer to each other
        UPDATE public.entity_responses r SET parent_response_id = NULL WHERE r.tenant_id = tenant AND r.parent_response_id IS NOT NULL;
    END IF;
    EXECUTE format('DELETE FROM public.%1$I t WHERE t.tenant_id = $1 AND t.ctid = ANY (ARRAY(SELECT o.ctid FROM public.%1$I o WHERE o.tenant_id = $1 LIMIT $2))', p_table)
    USING tenant, p_limit;
    GET DIAGNOSTICS gone = ROW_COUNT;
    RETURN gone;
END;
$_$;
CREATE FUNCTION public.erase_session(p_erasure uuid, p_session uuid) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    words bigint; events bigint; citations bigint; sessions bigint; progress bigint; replays bigint;
BEGIN
    INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
    SELECT DISTINCT tenant, p_erasure, 'blob', ARRAY[e.blob] FROM public.session_events e
    WHERE e.tenant_id = tenant AND e.session_id = p_session AND e.blob IS NOT NULL ON CONFLICT DO NOTHING;
    DELETE FROM public.session_words w WHERE w.tenant_id = tenant AND w.session_id = p_session;
    GET DIAGNOSTICS words = ROW_COUNT;
    DELETE FROM public.shared_context_citations c WHERE c.tenant_id = tenant AND c.session_id = p_session;
    GET DIAGNOSTICS citations = ROW_COUNT;
    DELETE FROM public.session_events e WHERE e.tenant_id = tenant AND e.session_id = p_session;
    GET DIAGNOSTICS events = ROW_COUNT;
    UPDATE public.eval_replays r
    SET comparison = NULL, divergence = NULL, error = NULL, rubric = NULL, judging_reason = NULL
    WHERE r.tenant_id = tenant AND (r.id = p_session OR r.golden_id = p_session)
      AND (r.comparison IS NOT NULL OR r.divergence IS NOT NULL OR r.error IS NOT NULL OR r.rubric IS NOT NULL
           OR r.judging_reason IS NOT NULL);
    GET DIAGNOSTICS replays = ROW_COUNT;
    DELETE FROM public.runs r WHERE r.tenant_id = tenant AND r.id = p_session;
    GET DIAGNOSTICS progress = ROW_COUNT;
    DELETE FROM public.sessions s WHERE s.tenant_id = tenant AND s.id = p_session;
    GET DIAGNOSTICS sessions = ROW_COUNT;
    RETURN jsonb_build_object('sessions', sessions, 'session_events', events, 'session_words', words,
                              'shared_context_citations', citations, 'runs', progress, 'eval_replays (text)', replays);
END;
$$;
CREATE FUNCTION public.erase_traces(p_traces bytea[]) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    traces bigint; links bigint;
BEGIN
    DELETE FROM public.otel_trace_batches b WHERE b.tenant_id = tenant AND b.trace_id = ANY (p_traces);
    GET DIAGNOSTICS links = ROW_COUNT;
    DELETE FROM public.otel_traces t WHERE t.tenant_id = tenant AND t.trace_id = ANY (p_traces);
    GET DIAGNOSTICS traces = ROW_COUNT;
    RETURN jsonb_build_object('otel_traces', traces, 'otel_trace_batches', links);
END;
$$;
CREATE FUNCTION public.erase_turn(p_project text, p_conversation text, p_turn text) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    words bigint; messages bigint; gone bigint;
    rest record;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended(tenant || '/' || p_project || '/' || p_conversation, 0));
    DELETE FROM public.conv_messages m
    WHERE m.tenant_id = tenant AND m.project = p_project AND m.conversation_id = p_conversation AND m.turn_id = p_turn;
    GET DIAGNOSTICS messages = ROW_COUNT;
    DELETE FROM public.conv_turns t
    WHERE t.tenant_id = tenant AND t.project = p_project AND t.conversation_id = p_conversation AND t.turn_id = p_turn;
    GET DIAGNOSTICS gone = ROW_COUNT;
    SELECT count(DISTINCT t.turn_id) AS turns, min(t.ts) AS first, max(t.ts) AS last,
           coalesce((array_agg(left(m.text, 200) ORDER BY t.ts, t.seq, m.role DESC) FILTER (WHERE m.kind = 'message'))[1], '') AS title
    INTO rest
    FROM public.conv_turns t LEFT JOIN public.conv_messages m ON m.tenant_id = t.tenant_id AND m.project = t.project
        AND m.conversation_id = t.conversation_id AND m.turn_id = t.turn_id
    WHERE t.tenant_id = tenant AND t.project = p_project AND t.conversation_id = p_conversation;
    IF rest.turns = 0 THEN
        RETURN public.erase_conversation(p_project, p_conversation)
            || jsonb_build_object('conv_turns', gone, 'conv_messages', messages);
    END IF;
    UPDATE public.conversations c
    SET turns = rest.turns, title = rest.title, started_at = rest.first, last_activity_at = rest.last
    WHERE c.tenant_id = tenant AND c.project = p_project AND c.id = p_conversation;
    DELETE FROM public.conversation_words w WHERE w.tenant_id = tenant AND w.project = p_project AND w.conversation_id = p_conversation;
    GET DIAGNOSTICS words = ROW_COUNT;
    UPDATE public.conv_messages m SET embedding = NULL, embedding_model = NULL, embedding_dims = NULL
    WHERE m.tenant_id = tenant AND m.project = p_project AND m.conversation_id = p_conversation AND m.kind = 'message';
    PERFORM public.set_marks('conversations.index', ARRAY[p_project || '/' || p_conversation]);
    RETURN jsonb_build_object('conv_turns', gone, 'conv_messages', messages, 'conversation_words', words);
END;
$$;
CREATE FUNCTION public.erase_workspace(p_gone jsonb, p_requested timestamp with time zone, p_job uuid) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'procrastinate', 'pg_temp'
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    INSERT INTO public.erased_workspaces (workspace_id, slug, gone, requested_at, ended_at)
    SELECT t.id, t.slug, p_gone, p_requested, clock_timestamp() FROM public.tenants t WHERE t.id = tenant ON CONFLICT DO NOTHING;
    DELETE FROM procrastinate.procrastinate_jobs j
    WHERE j.args ? 'id' AND j.args ->> 'tenant_id' = tenant::text AND j.args ->> 'id' <> p_job::text;
    DELETE FROM public.users u WHERE u.made_in = tenant
      AND NOT EXISTS (SELECT FROM public.memberships m WHERE m.account_id = u.id);
    DELETE FROM public.tenants t WHERE t.id = tenant;
END;
$$;
CREATE FUNCTION public.event_subjects(p_tenant uuid, p_subject text, p_payload jsonb) RETURNS text[]
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT CASE WHEN p_subject <> p_tenant::text THEN ARRAY(
        SELECT p_subject UNION
        SELECT x.value #>> '{}' FROM jsonb_each(p_payload) x
        WHERE right(x.key, 3) = '_id' AND jsonb_typeof(x.value) = 'string'
    ) END
$$;
CREATE FUNCTION public.featured_set(p_config jsonb) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $_$
    SELECT CASE WHEN s.hex ~ '^[0-9a-f]{32}$' THEN s.hex::uuid END
    FROM (SELECT translate(regexp_replace(lower(p_config #>> '{featuredScore,criteriaSetId}'), 'urn:|uuid:', '', 'g'),
                           '{}-', '') AS hex) s
$_$;
CREATE FUNCTION public.find_accounts(p_email text) RETURNS TABLE(id uuid, password_hash text, workspaces text[])
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
    (SELECT u.id, u.password_hash,
            ARRAY(SELECT t.slug FROM public.memberships m JOIN public.tenants t ON t.id = m.tenant_id
                  WHERE m.account_id = u.id ORDER BY t.slug)
     FROM public.users u WHERE u.email = lower(p_email) ORDER BY u.created_at, u.id)
    UNION ALL
    SELECT NULL, NULL, array_agg(t.slug ORDER BY t.slug)
    FROM public.memberships m JOIN public.tenants t ON t.id = m.tenant_id
    WHERE m.email = lower(p_email) AND m.account_id IS NULL HAVING count(*) > 0
$$;
CREATE FUNCTION public.find_reset(p_hash bytea) RETURNS TABLE(email text, by_operator boolean, account_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
    SELECT coalesce(u.email, m.email), r.account_id IS NOT NULL,
           CASE WHEN NOT EXISTS (SELECT FROM public.memberships o
                                 WHERE o.account_id = m.account_id AND o.tenant_id <> r.tenant_id)
                THEN coalesce(r.account_id, m.account_id) ELSE r.account_id END
    FROM public.password_resets r
    LEFT JOIN public.users u ON u.id = r.account_id
    LEFT JOIN public.memberships m ON m.tenant_id = r.tenant_id AND m.user_id = r.user_id AND m.account_id IS NOT NULL
    WHERE r.hash = p_hash AND r.expires_at > now() AND coalesce(u.email, m.email) IS NOT NULL
$$;
CREATE FUNCTION public.find_second_factor(p_account uuid) RETURNS TABLE(secret bytea, last_step bigint, is_confirmed boolean)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
    SELECT f.secret, f.last_step, f.confirmed_at IS NOT NULL FROM public.second_factors f WHERE f.account_id = p_account
$$;
CREATE FUNCTION public.find_tenant(p_slug text) RETURNS uuid
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
    SELECT id FROM public.tenants WHERE slug = p_slug
$$;
CREATE FUNCTION public.gather_erased(p_erasure uuid, p_narrow boolean) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    before bigint;
    after bigint;
BEGIN
    SELECT count(*) INTO before FROM public.erasure_items i WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure;
    -- An end user.
    INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
    SELECT tenant, p_erasure, 'conversation', ARRAY[c.project, c.id]
    FROM public.erasure_items i JOIN public.conversations c ON c.tenant_id = i.tenant_id AND c.user_id = i.place[1]
    WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind = 'end_user' ON CONFLICT DO NOTHING;
    INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
    SELECT tenant, p_erasure, 'turn', ARRAY[t.project, t.conversation_id, t.turn_id]
    FROM public.erasure_items i JOIN public.conv_turns t ON t.tenant_id = i.tenant_id AND t.user_id = i.place[1]
    WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind = 'end_user' AND NOT EXISTS (
        SELECT FROM public.erasure_items c WHERE c.tenant_id = tenant AND c.erasure_id = p_erasure AND c.kind = 'conversation'
          AND c.place = ARRAY[t.project, t.conversation_id]) ON CONFLICT DO NOTHING;
    INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
    SELECT tenant, p_erasure, 'reaction', ARRAY[m.id::text]
    FROM public.erasure_items i JOIN public.conv_messages m ON m.tenant_id = i.tenant_id AND m.end_user = i.place[1] AND NOT m.by_member
    WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind = 'end_user' AND NOT EXISTS (
        SELECT FROM public.erasure_items c WHERE c.tenant_id = tenant AND c.erasure_id = p_erasure AND c.kind = 'conversation'
          AND c.place = ARRAY[m.project, m.conversation_id]) ON CONFLICT DO NOTHING;
    INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
    SELECT tenant, p_erasure, 'session', ARRAY[s.id::text]
    FROM public.erasure_items i JOIN public.sessions s ON s.tenant_id = i.tenant_id AND s.metadata ? 'user_id'
        AND s.metadata ->> 'user_id' = i.place[1]
    WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind = 'end_user' ON CONFLICT DO NOTHING;
    INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
    SELECT tenant, p_erasure, 'feedback', ARRAY[f.id::text]
    FROM public.erasure_items i JOIN public.feedback f ON f.tenant_id = i.tenant_id AND f.end_user = i.place[1]
    WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind = 'end_user' ON CONFLICT DO NOTHING;
    -- A conversation, or one turn of it: what was read from it elsewhere, what was said about it, what ran for it.
    INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
    SELECT tenant, p_erasure, 'reaction', ARRAY[m.id::text]
    FROM public.erasure_items i JOIN public.conv_messages m ON m.tenant_id = i.tenant_id AND m.project = i.place[1]
        AND m.source_conversation_id = i.place[2] AND (i.kind = 'conversation' OR m.source_turn_id = i.place[3])
    WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind IN ('conversation', 'turn')
      AND (i.kind = 'turn' OR m.conversation_id <> i.place[2]) ON CONFLICT DO NOTHING;
    INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
    SELECT tenant, p_erasure, 'feedback', ARRAY[f.id::text]
    FROM public.erasure_items i JOIN public.feedback f ON f.tenant_id = i.tenant_id AND f.project = i.place[1]
        AND f.conversation_id = i.place[2] AND (i.kind = 'conversation' OR f.turn_id = i.place[3])
    WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind IN ('conversation', 'turn') ON CONFLICT DO NOTHING;
    IF NOT p_narrow THEN
        INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
        SELECT tenant, p_erasure, 'session', ARRAY[s.id::text]
        FROM public.erasure_items i JOIN public.sessions s ON s.tenant_id = i.tenant_id AND s.project = i.place[1]
            AND s.conversation_id = i.place[2]
        WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind = 'conversation' ON CONFLICT DO NOTHING;
        INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
        SELECT DISTINCT tenant, p_erasure, 'session', ARRAY[s.id::text]
        FROM public.erasure_items i JOIN public.conv_turns t ON t.tenant_id = i.tenant_id AND t.project = i.place[1]
            AND t.conversation_id = i.place[2] AND (i.kind = 'conversation' OR t.turn_id = i.place[3]) AND t.session_id IS NOT NULL
        JOIN public.sessions s ON s.tenant_id = t.tenant_id AND (s.external_id = t.session_id OR s.id::text = t.session_id)
        WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind IN ('conversation', 'turn') ON CONFLICT DO NOTHING;
        -- Archives of the workspace, which have it as it was.
        INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
        SELECT tenant, p_erasure, 'archive', ARRAY[a.id::text] FROM public.archives a WHERE a.tenant_id = tenant AND a.removed_at IS NULL
        ON CONFLICT DO NOTHING;
        -- A session: those within it, what it turned out to be part of, its replays and who judged them.
        INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
        SELECT tenant, p_erasure, 'session', ARRAY[s.id::text]
        FROM public.erasure_items i JOIN public.sessions s ON s.tenant_id = i.tenant_id AND s.parent_session_id = i.place[1]::uuid
        WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind = 'session' ON CONFLICT DO NOTHING;
        INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
        SELECT tenant, p_erasure, 'session', ARRAY[s.id::text]
        FROM public.erasure_items i JOIN public.sessions s ON s.tenant_id = i.tenant_id AND s.metadata ? 'merged_into'
            AND s.metadata ->> 'merged_into' = i.place[1]
        WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind = 'session' ON CONFLICT DO NOTHING;
        INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
        SELECT DISTINCT tenant, p_erasure, 'session', ARRAY[s.id::text]
        FROM public.erasure_items i JOIN public.eval_replays r ON r.tenant_id = i.tenant_id AND r.golden_id = i.place[1]::uuid
        JOIN public.sessions s ON s.tenant_id = r.tenant_id AND (s.id = r.id OR s.id = r.judging_session_id)
        WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind = 'session' ON CONFLICT DO NOTHING;
        INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
        SELECT DISTINCT tenant, p_erasure, 'session', ARRAY[s.id::text]
        FROM public.erasure_items i JOIN public.eval_replays r ON r.tenant_id = i.tenant_id AND r.id = i.place[1]::uuid
        JOIN public.sessions s ON s.tenant_id = r.tenant_id AND s.id = r.judging_session_id
        WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind = 'session' ON CONFLICT DO NOTHING;
        -- What a session has proposed, a record, and who tried again after a rejection.
        INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
        SELECT DISTINCT tenant, p_erasure, 'response', ARRAY[r.id::text]
        FROM public.entity_responses r, jsonb_each(r.field_meta) AS m (field, meta), public.erasure_items i
        WHERE r.tenant_id = tenant AND r.field_meta <> '{}' AND jsonb_typeof(m.meta) = 'object' AND i.tenant_id = tenant
          AND i.erasure_id = p_erasure AND i.kind = 'session' AND i.place = ARRAY[m.meta ->> 'session_id'] ON CONFLICT DO NOTHING;
        INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
        SELECT tenant, p_erasure, 'response', ARRAY[r.id::text]
        FROM public.erasure_items i JOIN public.entity_responses r ON r.tenant_id = i.tenant_id AND r.entity_id = i.place[1]::uuid
        WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind = 'record' ON CONFLICT DO NOTHING;
        INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
        SELECT tenant, p_erasure, 'session', ARRAY[s.id::text]
        FROM public.erasure_items i JOIN public.sessions s ON s.tenant_id = i.tenant_id AND s.entity_id = i.place[1]::uuid
        WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind = 'record' ON CONFLICT DO NOTHING;
        INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
        SELECT tenant, p_erasure, 'session', ARRAY[s.id::text]
        FROM public.erasure_items i JOIN public.sessions s ON s.tenant_id = i.tenant_id AND s.entity_id IS NOT NULL
            AND s.input ->> 'parent_response_id' = i.place[1]
        WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind = 'response' ON CONFLICT DO NOTHING;
    END IF;
    -- What was said about any of them, what it was derived from, and what is held to it.
    INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
    SELECT tenant, p_erasure, 'feedback', ARRAY[f.id::text]
    FROM public.erasure_items i JOIN public.feedback f ON f.tenant_id = i.tenant_id AND (
        i.kind = 'session' AND f.session_id = i.place[1]::uuid OR i.kind = 'response' AND f.response_id = i.place[1]::uuid
        OR i.kind = 'record' AND f.entity_id = i.place[1]::uuid)
    WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind IN ('session', 'response', 'record') ON CONFLICT DO NOTHING;
    INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
    SELECT tenant, p_erasure, 'trace', ARRAY[encode(t.trace_id, 'hex')]
    FROM public.erasure_items i JOIN public.otel_traces t ON t.tenant_id = i.tenant_id AND t.session_id = i.place[1]::uuid
    WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind = 'session' ON CONFLICT DO NOTHING;
    INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
    SELECT DISTINCT tenant, p_erasure, 'turn', ARRAY[t.project, t.conversation_id, t.turn_id]
    FROM public.erasure_items i JOIN public.conv_turns t ON t.tenant_id = i.tenant_id AND t.session_id IS NOT NULL
        AND t.turn_id = i.place[1]
    WHERE NOT p_narrow AND i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind = 'trace' AND NOT EXISTS (
        SELECT FROM public.erasure_items c WHERE c.tenant_id = tenant AND c.erasure_id = p_erasure AND c.kind = 'conversation'
          AND c.place = ARRAY[t.project, t.conversation_id]) ON CONFLICT DO NOTHING;
    INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
    SELECT tenant, p_erasure, 'golden', ARRAY[g.session_id::text]
    FROM public.erasure_items i JOIN public.goldens g ON g.tenant_id = i.tenant_id AND g.session_id = i.place[1]::uuid
    WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind = 'session' ON CONFLICT DO NOTHING;
    INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
    SELECT tenant, p_erasure, 'alternative', ARRAY[a.golden_id::text, a.session_id::text]
    FROM public.erasure_items i JOIN public.golden_alternatives a ON a.tenant_id = i.tenant_id AND a.session_id = i.place[1]::uuid
    WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind = 'session' ON CONFLICT DO NOTHING;
    SELECT count(*) INTO after FROM public.erasure_items i WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure;
    RETURN after - before;
END;
$$;
CREATE FUNCTION public.hide_erased(p_erasure uuid, p_kind text, p_subject text[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    EXECUTE format('SET LOCAL app.erasure = %L', p_erasure);
    EXECUTE 'SET LOCAL app.goldens = ''open''';
    IF p_kind = 'conversation' THEN
        UPDATE public.conversations c SET erasing = p_erasure
        WHERE c.tenant_id = tenant AND c.project = p_subject[1] AND c.id = p_subject[2];
        UPDATE public.sessions s SET erasing = p_erasure
        WHERE s.tenant_id = tenant AND s.project = p_subject[1] AND s.conversation_id = p_subject[2];
        INSERT INTO public.erasure_blocks (tenant_id, kind, key, erasure_id)
        VALUES (tenant, 'conversation', p_subject[1] || '/' || p_subject[2], p_erasure) ON CONFLICT DO NOTHING;
    ELSIF p_kind = 'end_user' THEN
        UPDATE public.conversations c SET erasing = p_erasure WHERE c.tenant_id = tenant AND c.user_id = p_subject[1];
        UPDATE public.sessions s SET erasing = p_erasure
        WHERE s.tenant_id = tenant AND s.metadata ? 'user_id' AND s.metadata ->> 'user_id' = p_subject[1];
        INSERT INTO public.erasure_blocks (tenant_id, kind, key, erasure_id)
        VALUES (tenant, 'end_user', p_subject[1], p_erasure) ON CONFLICT DO NOTHING;
    ELSIF p_kind = 'session' THEN
        UPDATE public.sessions s SET erasing = p_erasure WHERE s.tenant_id = tenant AND s.id = p_subject[1]::uuid;
        INSERT INTO public.erasure_blocks (tenant_id, kind, key, erasure_id)
        SELECT tenant, 'session', n.key, p_erasure
        FROM public.sessions s, unnest(ARRAY[s.id::text, s.external_id]) AS n (key)
        WHERE s.tenant_id = tenant AND s.id = p_subject[1]::uuid AND n.key IS NOT NULL ON CONFLICT DO NOTHING;
    ELSIF p_kind = 'record' THEN
        UPDATE public.entities e SET erasing = p_erasure WHERE e.tenant_id = tenant AND e.id = p_subject[1]::uuid;
    END IF;
    EXECUTE 'SET LOCAL app.goldens = ''''';
END;
$$;
CREATE FUNCTION public.import_feedback(p_rows jsonb, p_kind text, p_event uuid, OUT added integer, OUT event jsonb) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    actor text := current_setting('app.actor', true);
    moment timestamptz := public.moment();
BEGIN
    WITH written AS (
        INSERT INTO public.feedback (tenant_id, id, source_key, source_type, rating, comment, context, origin_actor, origin_artefact,
            created_by, session_id, entity_id, agent_id, entity_type, response_id, end_user, created_at, status, reviewed_at,
            updated_at, created_by_kind, created_by_id)
        SELECT tenant, n.id, n.source_key, n.source_type, n.rating, n.comment, n.context, n.origin_actor, n.origin_artefact,
            n.created_by, n.session_id, n.entity_id, n.agent_id, n.entity_type, n.response_id, n.end_user,
            coalesce(n.created_at, moment), n.status, CASE WHEN n.status <> 'pending' THEN coalesce(n.created_at, moment) END, moment,
            split_part(actor, ':', 1), nullif(split_part(actor, ':', 2), '')::uuid
        FROM jsonb_to_recordset(p_rows) AS n (id uuid, source_key text, source_type text, rating text, comment text, context jsonb,
            origin_actor text, origin_artefact text, created_by uuid, session_id uuid, entity_id uuid, agent_id uuid, entity_type text,
            response_id uuid, end_user text, created_at timestamptz, status text)
        ON CONFLICT DO NOTHING RETURNING 1
    )
    SELECT count(*) INTO added FROM written;
    IF added > 0 THEN
        event := public.emit_event(p_event, 'feedback.imported', 'feedback', tenant::text,
            jsonb_build_object('kind', p_kind, 'count', added));
        PERFORM public.set_marks('feedback.place', ARRAY['workspace'], interval '2 seconds');
    END IF;
END;
$$;
CREATE FUNCTION public.installation_secret() RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
    SELECT secret FROM public.installation
$$;
CREATE FUNCTION public.invite_address(p_hash bytea) RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
    SELECT m.email
    FROM public.invites i JOIN public.memberships m ON m.tenant_id = i.tenant_id AND m.user_id = i.user_id
    WHERE i.hash = p_hash AND i.expires_at > now() AND m.account_id IS NULL
$$;
CREATE FUNCTION public.join_by_provider(p_user uuid, p_account uuid) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    DELETE FROM public.invites WHERE tenant_id = tenant AND user_id = p_user;
    PERFORM public.join_workspace(tenant, p_user, p_account);
END;
$$;
CREATE FUNCTION public.join_workspace(p_tenant uuid, p_user uuid, p_account uuid) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
BEGIN
    UPDATE public.memberships SET account_id = p_account, joined_at = now()
    WHERE tenant_id = p_tenant AND user_id = p_user;
    PERFORM pg_notify('goldloop_auth', '');
    RETURN (SELECT t.slug FROM public.tenants t WHERE t.id = p_tenant);
END;
$$;
CREATE FUNCTION public.key_hash_owner(p_hash bytea) RETURNS TABLE(tenant_id uuid, key_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
    SELECT h.tenant_id, h.key_id FROM public.api_key_hashes h WHERE h.hash = p_hash
$$;
CREATE FUNCTION public.lease_mark(p_kind text, p_after_tenant uuid, p_cap integer, p_lease interval, p_without uuid[] DEFAULT '{}'::uuid[]) RETURNS TABLE(tenant_id uuid, id uuid, key text, attempts integer, leased_until timestamp with time zone)
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('goldloop lease'), hashtext(p_kind));
    IF (SELECT count(*) FROM public.marks m WHERE m.kind = p_kind AND m.leased_until > clock_timestamp()) >= p_cap THEN
        RETURN;
    END IF;
    RETURN QUERY
    UPDATE public.marks m SET leased_until = clock_timestamp() + p_lease
    FROM public.pick_mark(p_kind, p_after_tenant, p_without) p
    WHERE m.tenant_id = p.tenant_id AND m.id = p.id
    RETURNING m.tenant_id, m.id, m.key, m.attempts, m.leased_until;
END;
$$;
CREATE FUNCTION public.let_erase(target regclass) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    act text;
BEGIN
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO goldloop_eraser', target);
    IF target = 'public.erasures'::regclass THEN
        RETURN;  -- which the others ask
    END IF;
    FOREACH act IN ARRAY ARRAY['UPDATE', 'DELETE'] LOOP
        EXECUTE format('DROP POLICY IF EXISTS within_erasure_%s ON %s', lower(act), target);
        EXECUTE format(
            'CREATE POLICY within_erasure_%s ON %s AS RESTRICTIVE FOR %s TO goldloop_eraser USING (
                CURRENT_USER <> ''goldloop_eraser'' OR EXISTS (SELECT FROM public.erasures e
                WHERE e.id = nullif(current_setting(''app.erasure'', true), '''')::uuid AND e.ended_at IS NULL))',
            lower(act), target, act);
    END LOOP;
END;
$$;
CREATE FUNCTION public.link_identity(p_id uuid, p_account uuid, p_issuer text, p_subject text, p_provider text, p_email text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
BEGIN
    INSERT INTO public.identities (issuer, subject, id, account_id, provider, email)
    VALUES (p_issuer, p_subject, p_id, p_account, p_provider, p_email) ON CONFLICT (issuer, subject) DO NOTHING;
    RETURN EXISTS (SELECT FROM public.identities i
                   WHERE i.issuer = p_issuer AND i.subject = p_subject AND i.account_id = p_account);
END;
$$;
CREATE FUNCTION public.list_claim_sources(p_claim uuid, p_type text, p_field text, p_set text, p_after uuid, p_limit integer) RETURNS TABLE(id uuid, title text, response_id uuid, ratings jsonb, quality double precision)
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    RETURN QUERY
    SELECT s.id, s.title, n.id, coalesce(n.values, '{}'), q.quality
    FROM (
        SELECT DISTINCT e.id, e.title
        FROM public.entity_relations r
        JOIN public.entities e ON e.tenant_id = r.tenant_id AND e.id = r.source_id
        JOIN public.entity_types t ON t.tenant_id = e.tenant_id AND t.id = e.type_id AND t.slug = p_type
        WHERE r.tenant_id = tenant
          AND r.target_id = p_claim AND r.field_key = p_field AND e.id > p_after
        ORDER BY e.id LIMIT p_limit
    ) s
    LEFT JOIN LATERAL (
        SELECT r.id, r.values FROM public.entity_responses r
        WHERE r.tenant_id = tenant AND r.entity_id = s.id
          AND r.criteria_set_id = (SELECT c.id FROM public.criteria_sets c
                                   WHERE c.tenant_id = tenant AND c.slug = p_set)
          AND r.withdrawn_at IS NULL AND r.scope IS NULL AND r.promoted_fields <> '{}'
        ORDER BY r.created_at DESC, r.id DESC LIMIT 1
    ) n ON true
    LEFT JOIN LATERAL (
        SELECT avg(v.value::double precision) AS quality FROM jsonb_each(n.values) v WHERE jsonb_typeof(v.value) = 'number'
    ) q ON true;
END;
$$;
CREATE FUNCTION public.list_erased_workspaces(p_limit integer) RETURNS TABLE(workspace_id uuid, slug text, gone jsonb, requested_at timestamp with time zone, ended_at timestamp with time zone)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
    SELECT w.workspace_id, w.slug, w.gone, w.requested_at, w.ended_at FROM public.erased_workspaces w ORDER BY w.ended_at DESC LIMIT p_limit
$$;
CREATE FUNCTION public.list_job_failures(p_id uuid) RETURNS TABLE(attempt integer, at timestamp with time zone, type text, message text, detail text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
    SELECT f.attempt, f.at, f.type, f.message, f.detail
    FROM procrastinate.procrastinate_jobs j
    JOIN procrastinate.job_failures f ON f.job_id = j.id
    WHERE j.args ->> 'id' = p_id::text AND j.args ? 'id'
      AND j.args ->> 'tenant_id' = nullif(current_setting('app.tenant', true), '')
    ORDER BY f.attempt DESC LIMIT 100
$$;
CREATE FUNCTION public.list_jobs(p_id uuid, p_statuses text[], p_before uuid, p_limit integer, p_names text[] DEFAULT NULL::text[], p_but text[] DEFAULT NULL::text[]) RETURNS TABLE(id uuid, name text, status text, args jsonb, attempts integer, max_attempts integer, actor text, queued_at timestamp with time zone, scheduled_at timestamp with time zone, started_at timestamp with time zone, finished_at timestamp with time zone, error_type text, error_message text, error_at timestamp with time zone, abort_requested boolean)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'procrastinate', 'pg_temp'
    AS $_$
BEGIN
    RETURN QUERY EXECUTE
    $query$
    SELECT (j.args ->> 'id')::uuid, j.task_name::text,
           CASE j.status::text WHEN 'aborted' THEN 'cancelled' WHEN 'aborting' THEN 'doing' ELSE j.status::text END,
           j.args -> 'payload', j.attempts, (j.args ->> 'max_attempts')::integer, j.args ->> 'actor',
           e.queued_at, CASE WHEN j.status = 'todo' THEN j.scheduled_at END, e.started_at, e.finished_at,
           f.type, f.message, f.at, j.abort_requested
    FROM procrastinate_jobs j
    CROSS JOIN LATERAL (
        SELECT min(at) FILTER (WHERE type = 'deferred') AS queued_at,
               max(at) FILTER (WHERE type = 'started') AS started_at,
               max(at) FILTER (WHERE type IN ('succeeded', 'failed', 'aborted', 'cancelled')
                               AND j.status NOT IN ('todo', 'doing')) AS finished_at
        FROM procrastinate_events WHERE job_id = j.id
    ) e
    LEFT JOIN LATERAL (
        SELECT type, message, at FROM job_failures
        WHERE job_id = j.id AND j.status <> 'succeeded' ORDER BY attempt DESC LIMIT 1
    ) f ON true
    WHERE j.args ? 'id' AND j.args ->> 'tenant_id' = $1 AND j.args ->> 'id' < $2
    $query$
    || CASE WHEN p_id IS NOT NULL THEN ' AND j.args ->> ''id'' = $3' ELSE '' END
    || CASE WHEN p_statuses IS NOT NULL THEN ' AND j.status = ANY ($4::procrastinate_job_status[])' ELSE '' END
    || CASE WHEN p_names IS NOT NULL THEN ' AND j.task_name = ANY ($6)' ELSE '' END
    || CASE WHEN p_but IS NOT NULL THEN ' AND j.task_name <> ALL ($7)' ELSE '' END
    || ' ORDER BY j.args ->> ''id'' DESC LIMIT $5'
    USING nullif(current_setting('app.tenant', true), ''), p_before::text, p_id::text, p_statuses, p_limit, p_names, p_but;
END;
$_$;
CREATE FUNCTION public.list_rated_units(p_set uuid, p_responses integer, p_values integer, p_bytes integer) RETURNS TABLE(dimension text, units text, omitted bigint)
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    RETURN QUERY
    WITH newest AS (
        SELECT DISTINCT ON (r.entity_id, r.temporal_value, respondent)
               r.id, r.created_at, r.entity_id, r.temporal_value, coalesce('agent:' || r.submitted_by_agent, 'user:' || r.submitted_by_user) AS respondent, r.values, r.scope
        FROM public.entity_responses r
        WHERE r.tenant_id = tenant AND r.criteria_set_id = p_set
          AND r.withdrawn_at IS NULL AND r.status <> 'rejected'
          AND (r.scope ->> 'fieldKey') IS NOT DISTINCT FROM (
              SELECT c.scope ->> 'fieldKey' FROM public.criteria_sets c
              WHERE c.tenant_id = tenant AND c.id = p_set)
          AND coalesce(r.submitted_by_agent, r.submitted_by_user) IS NOT NULL
        ORDER BY r.entity_id, r.temporal_value, respondent, r.created_at DESC, r.id DESC
    ), placed AS (
        SELECT n.id, n.created_at, n.entity_id, n.temporal_value, n.respondent, n.values, n.scope,
               count(*) OVER () AS found, row_number() OVER (ORDER BY n.created_at DESC, n.id DESC) AS place
        FROM newest n
    ), sized AS (
        SELECT p.id, p.created_at, p.entity_id, p.temporal_value, p.respondent, p.values, p.scope, p.found, p.place,
               sum(octet_length(p.values::text)) OVER w AS bytes,
               sum(CASE WHEN p.scope IS NULL THEN (SELECT count(*) FROM jsonb_object_keys(p.values))
                        ELSE (SELECT count(*) FROM jsonb_each(p.values) o, jsonb_object_keys(o.value)) END) OVER w AS upto
        FROM placed p WHERE p.place <= p_responses WINDOW w AS (ORDER BY p.place)
    ), looked_at AS MATERIALIZED (
        SELECT s.id, s.created_at, s.entity_id, s.temporal_value, s.respondent, s.values, s.scope, s.found
        FROM sized s WHERE s.place = 1 OR (s.bytes <= p_bytes AND s.upto <= p_values)
    ), rated AS MATERIALIZED (
        SELECT v.key, jsonb_object_agg(n.respondent, v.value) AS ratings, count(*) AS raters,
               min(n.respondent) AS rater, max(n.created_at) AS at
        FROM looked_at n CROSS JOIN LATERAL (
            SELECT NULL AS connection, e.key, e.value FROM jsonb_each(n.values) e WHERE n.scope IS NULL
            UNION ALL
            SELECT o.key, e.key, e.value FROM jsonb_each(n.values) o, jsonb_each(o.value) e WHERE n.scope IS NOT NULL
        ) v
        GROUP BY v.key, n.entity_id, n.temporal_value, v.connection
    ), shown AS (
        SELECT u.key, u.ratings FROM rated u WHERE u.raters > 1
        UNION ALL
        (SELECT DISTINCT ON (u.key, u.rater) u.key, u.ratings FROM rated u WHERE u.raters = 1 ORDER BY u.key, u.rater)
    ), gathered AS (
        SELECT s.key, jsonb_agg(s.ratings) AS units FROM shown s GROUP BY s.key
    ), last AS (
        SELECT u.key, max(u.at) AS at FROM rated u GROUP BY u.key
    )
    SELECT DISTINCT ON (g.key) (x.d - 'options')::text, g.units::text, n.found - (SELECT count(*) FROM looked_at)
    FROM gathered g JOIN last l ON l.key = g.key JOIN looked_at n ON n.created_at = l.at
    JOIN public.entity_responses r ON r.tenant_id = tenant AND r.id = n.id
    CROSS JOIN LATERAL jsonb_array_elements(r.criteria_snapshot) x (d)
    WHERE x.d ->> 'key' = g.key
    ORDER BY g.key, n.id DESC;
END;
$$;
CREATE FUNCTION public.list_raters(p_entity uuid, p_set uuid, p_after uuid, p_after_no_agent boolean, p_scored boolean, p_limit integer) RETURNS TABLE(rater uuid, no_agent boolean, response_id uuid, normalized_score double precision)
    LANGUAGE plpgsql STABLE ROWS 50
    SET jit TO 'off'
    SET enable_sort TO 'off'
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    rater := p_after;
    no_agent := p_after_no_agent;
    FOR place IN 1 .. p_limit LOOP
        SELECT CASE WHEN r.submitted_by_agent IS NOT NULL THEN r.submitted_by_agent
                    WHEN r.submitted_by_user IS NOT NULL THEN r.submitted_by_user
                    ELSE '00000000-0000-0000-0000-000000000000' END,
               r.submitted_by_agent IS NULL, r.id, r.normalized_score
        INTO rater, no_agent, response_id, normalized_score
        FROM public.entity_responses r
        WHERE r.tenant_id = tenant AND r.entity_id = p_entity AND r.criteria_set_id = p_set
          AND r.withdrawn_at IS NULL AND r.status <> 'rejected' AND (NOT p_scored OR r.normalized_score IS NOT NULL)
          AND (CASE WHEN r.submitted_by_agent IS NOT NULL THEN r.submitted_by_agent
                    WHEN r.submitted_by_user IS NOT NULL THEN r.submitted_by_user
                    ELSE '00000000-0000-0000-0000-000000000000' END, r.submitted_by_agent IS NULL) > (rater, no_agent)
        ORDER BY CASE WHEN r.submitted_by_agent IS NOT NULL THEN r.submitted_by_agent
                      WHEN r.submitted_by_user IS NOT NULL THEN r.submitted_by_user
                      ELSE '00000000-0000-0000-0000-000000000000' END,
                 r.submitted_by_agent IS NULL, r.created_at DESC, r.id DESC
        LIMIT 1;
        EXIT WHEN NOT FOUND;
        RETURN NEXT;
    END LOOP;
END;
$$;
CREATE FUNCTION public.lock_accounts(p_email text) RETURNS text[]
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('goldloop accounts'), hashtext(p_email));
    RETURN ARRAY(SELECT u.password_hash FROM public.users u
                 WHERE u.email = p_email AND u.password_hash IS NOT NULL ORDER BY u.created_at, u.id);
END;
$$;
CREATE FUNCTION public.make_account(p_id uuid, p_email text, p_name text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO ''
    AS $$
    INSERT INTO public.users (id, email, name) VALUES (p_id, p_email, p_name)
$$;
CREATE FUNCTION public.make_tenant_table(target regclass, privileges text DEFAULT 'SELECT, INSERT, UPDATE, DELETE'::text) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
    EXECUTE format(
        'CREATE POLICY tenant_isolation ON %s USING (tenant_id = nullif(current_setting(''app.tenant'', true), '''')::uuid)',
        target);
    EXECUTE format('GRANT %s ON %s TO goldloop_app, goldloop_worker', privileges, target);
    PERFORM let_erase(target);
END;
$$;
CREATE FUNCTION public.moment() RETURNS timestamp with time zone
    LANGUAGE sql
    AS $$
    SELECT coalesce(nullif(current_setting('app.moment', true), '')::timestamptz, clock_timestamp());
$$;
CREATE FUNCTION public.newest_event_ages(p_tenants uuid[]) RETURNS TABLE(tenant_id uuid, seconds double precision)
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_tenant uuid;
BEGIN
    FOREACH v_tenant IN ARRAY p_tenants LOOP
        EXECUTE format('SET LOCAL app.tenant = %L', v_tenant);
        RETURN QUERY
            SELECT e.tenant_id, extract(epoch FROM clock_timestamp() - e.created_at)::double precision
            FROM public.events e WHERE e.tenant_id = v_tenant ORDER BY e.created_at DESC LIMIT 1;
    END LOOP;
END;
$$;
CREATE FUNCTION public.notify_change(p_topic text, p_subject text DEFAULT NULL::text, p_payload jsonb DEFAULT '{}'::jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    sent jsonb;  -- by this transaction: {topic: subjects, or null for everything}
    known jsonb;
    subjects text[];
    fresh jsonb;
BEGIN
    PERFORM FROM public.live_watchers w WHERE w.tenant_id = tenant AND w.until > now();
    IF NOT FOUND THEN
        RETURN;
    END IF;
    sent := coalesce(nullif(current_setting('app.notified', true), ''), '{}')::jsonb;
    known := coalesce(sent -> p_topic, '[]');
    subjects := public.event_subjects(tenant, p_subject, p_payload);
    SELECT jsonb_agg(s) INTO fresh FROM unnest(subjects) s WHERE NOT known ? s;
    IF known = 'null' OR (subjects IS NOT NULL AND fresh IS NULL) THEN
        RETURN;
    END IF;
    IF jsonb_array_length(known) + jsonb_array_length(fresh) > 20 OR octet_length(fresh::text) > 4000 THEN
        fresh := NULL;  -- many, or more than a notification holds
    END IF;
    known := CASE WHEN fresh IS NULL THEN 'null' ELSE known || fresh END;
    PERFORM set_config('app.notified', (sent || jsonb_build_object(p_topic, known))::text, true);
    PERFORM pg_notify('goldloop_live', tenant || ' ' || p_topic || ' ' || coalesce(fresh, 'null'));
END;
$$;
CREATE FUNCTION public.open_account_reset(p_hash bytea, p_account uuid, p_drops_factor boolean, p_expires_at timestamp with time zone) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO ''
    AS $$
    DELETE FROM public.password_resets WHERE account_id = p_account;
    INSERT INTO public.password_resets (hash, account_id, drops_factor, expires_at)
    VALUES (p_hash, p_account, p_drops_factor, p_expires_at)
$$;
CREATE FUNCTION public.open_invite(p_hash bytea, p_user uuid, p_expires_at timestamp with time zone) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO ''
    AS $$
    DELETE FROM public.invites
    WHERE user_id = p_user AND tenant_id = nullif(current_setting('app.tenant', true), '')::uuid;
    INSERT INTO public.invites (hash, tenant_id, user_id, expires_at)
    VALUES (p_hash, nullif(current_setting('app.tenant', true), '')::uuid, p_user, p_expires_at)
$$;
CREATE FUNCTION public.open_reset(p_hash bytea, p_user uuid, p_drops_factor boolean, p_expires_at timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    DELETE FROM public.password_resets WHERE tenant_id = tenant AND user_id = p_user;
    INSERT INTO public.password_resets (hash, tenant_id, user_id, drops_factor, expires_at)
    SELECT p_hash, m.tenant_id, m.user_id, p_drops_factor, p_expires_at FROM public.memberships m
    WHERE m.tenant_id = tenant AND m.user_id = p_user AND m.account_id IS NOT NULL;
    RETURN FOUND;
END;
$$;
CREATE FUNCTION public.open_session(p_hash bytea, p_user uuid, p_expires_at timestamp with time zone, p_method text DEFAULT 'password'::text, p_provider text DEFAULT NULL::text, p_id_token bytea DEFAULT NULL::bytea, p_device text DEFAULT ''::text, p_client text DEFAULT ''::text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO ''
    AS $$
    INSERT INTO public.sign_in_sessions (hash, user_id, expires_at, method, provider, id_token, device, client)
    VALUES (p_hash, p_user, p_expires_at, p_method, p_provider, p_id_token, left(p_device, 500), left(p_client, 100))
$$;
CREATE FUNCTION public.open_sign_in_request(p_hash bytea, p_content bytea, p_expires_at timestamp with time zone) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO ''
    AS $$
    INSERT INTO public.sign_in_requests (hash, content, expires_at) VALUES (p_hash, p_content, p_expires_at)
$$;
CREATE FUNCTION public.own_sessions(p_session bytea) RETURNS TABLE(id uuid, method text, provider text, device text, client text, created_at timestamp with time zone, last_seen_at timestamp with time zone, expires_at timestamp with time zone, is_current boolean)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
    SELECT s.id, s.method, s.provider, s.device, s.client, s.created_at, s.last_seen_at, s.expires_at, s.hash = p_session
    FROM public.sign_in_sessions own
    JOIN public.sign_in_sessions s ON s.user_id = own.user_id AND s.expires_at > now()
    WHERE own.hash = p_session AND own.expires_at > now()
    ORDER BY s.hash = p_session DESC, s.last_seen_at DESC, s.id LIMIT 200
$$;
CREATE FUNCTION public.pick_mark(p_kind text, p_after_tenant uuid, p_without uuid[] DEFAULT '{}'::uuid[]) RETURNS TABLE(tenant_id uuid, id uuid, key text, attempts integer)
    LANGUAGE plpgsql
    SET enable_sort TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
    picked record;
    busy text[] := '{}';
    turn integer;
BEGIN
    FOR turn IN 0..1 LOOP  -- tenants after the last one served, then from the start
        LOOP
            SELECT m.tenant_id, m.id, m.key, m.attempts INTO picked
            FROM public.marks m
            WHERE m.kind = p_kind AND m.due_at <= clock_timestamp()
              AND (turn = 0 AND m.tenant_id > p_after_tenant OR turn = 1 AND m.tenant_id <= p_after_tenant)
              AND m.tenant_id <> ALL (p_without) AND m.tenant_id || m.key <> ALL (busy)
              AND NOT EXISTS (SELECT FROM public.marks l
                              WHERE l.tenant_id = m.tenant_id AND l.kind = m.kind AND l.key = m.key
                                AND l.leased_until > clock_timestamp())
            ORDER BY m.tenant_id, m.due_at LIMIT 1 FOR UPDATE OF m SKIP LOCKED;
            EXIT WHEN NOT FOUND;
            -- One rebuild of a key at a time, also when the key has several rows.
            IF pg_try_advisory_xact_lock(hashtextextended(picked.tenant_id || p_kind || picked.key, 0)) THEN
                DELETE FROM public.marks m USING (
                    SELECT o.tenant_id, o.id FROM public.marks o
                    WHERE o.tenant_id = picked.tenant_id AND o.kind = p_kind AND o.key = picked.key AND o.id <> picked.id
                    FOR UPDATE SKIP LOCKED
                ) others
                WHERE m.tenant_id = others.tenant_id AND m.id = others.id;
                EXECUTE format('SET LOCAL app.tenant = %L', picked.tenant_id);
                RETURN QUERY SELECT picked.tenant_id, picked.id, picked.key, picked.attempts;
                RETURN;
            END IF;
            busy := busy || (picked.tenant_id || picked.key);
        END LOOP;
    END LOOP;
END;
$$;
CREATE FUNCTION public.promotable_dimensions(p_values jsonb, p_snapshot jsonb, p_properties jsonb) RETURNS text[]
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT coalesce(array_agg(d ->> 'key' ORDER BY d ->> 'key' COLLATE "C"), '{}')
    FROM jsonb_array_elements(p_snapshot) x (d)
    WHERE p_values ? (d ->> 'key') AND (d ? 'fieldName' OR coalesce(p_properties ? (d ->> 'key'), false))
$$;
CREATE FUNCTION public.promote_field_values(p_entity uuid, p_response uuid, p_expected_version integer, p_type_version integer, p_content jsonb, p_dimensions jsonb, p_words_gone text[], p_words_new text[], p_event uuid, OUT outcome text, OUT status text, OUT promoted_fields text[], OUT reviewed_at timestamp with time zone, OUT waits boolean, OUT event jsonb) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    actor text := current_setting('app.actor', true);
    held record;
    given record;
    before text[];
BEGIN
    SELECT e.version, e.content || '{}' AS content,  -- unpacked here, and not again for every field
           t.version AS type_version, t.slug INTO held
    FROM public.entities e JOIN public.entity_types t ON t.tenant_id = e.tenant_id AND t.id = e.type_id
    WHERE e.tenant_id = tenant AND e.id = p_entity FOR NO KEY UPDATE OF e FOR SHARE OF t;
    IF NOT FOUND THEN
        outcome := 'absent';
        RETURN;
    ELSIF held.version <> p_expected_version OR held.type_version <> p_type_version THEN
        outcome := 'conflict';
        RETURN;
    END IF;
    -- By its id alone: with the record beside it, a plan may go through all responses to that.
    SELECT r.entity_id, r.promoted_fields INTO given FROM public.entity_responses r
    WHERE r.tenant_id = tenant AND r.id = p_response
      AND r.status NOT IN ('rejected', 'superseded') AND r.withdrawn_at IS NULL FOR NO KEY UPDATE;
    IF given.entity_id IS DISTINCT FROM p_entity THEN
        outcome := 'not_promotable';
        RETURN;
    END IF;
    before := given.promoted_fields;
    SELECT jsonb_object_agg(x.f, x.d) INTO p_dimensions  -- without the fields whose value comes from there already
    FROM jsonb_each_text(p_dimensions) x (f, d)
    WHERE (held.content -> x.f) IS DISTINCT FROM (p_content -> x.f) OR NOT EXISTS (
        SELECT FROM public.entity_field_sources s
        JOIN public.entity_field_history h ON h.tenant_id = s.tenant_id AND h.id = s.history_id
        WHERE s.tenant_id = tenant AND s.entity_id = p_entity AND s.field = x.f
          AND h.response_id = p_response AND h.dimension_key = x.d);
    IF p_dimensions IS NULL THEN
        outcome := 'unchanged';
        RETURN;
    END IF;
    reviewed_at := public.moment();
    promoted_fields := before
        || ARRAY(SELECT x.d FROM jsonb_each_text(p_dimensions) x (f, d) WHERE x.d <> ALL (before) ORDER BY x.d);
    UPDATE public.entities SET content = p_content, version = version + 1, updated_at = promote_field_values.reviewed_at
    WHERE tenant_id = tenant AND id = p_entity;
    PERFORM public.change_entity_words(p_entity, p_words_gone, p_words_new);
    PERFORM public.record_field_changes(p_entity, 'promotion', held.content, p_content, held.version + 1, p_response, p_dimensions);
    UPDATE public.entity_responses r
    SET promoted_fields = promote_field_values.promoted_fields,
        status = public.derive_response_status(r.status, r.promotable_fields, promote_field_values.promoted_fields, true),
        reviewed_by_kind = split_part(actor, ':', 1), reviewed_by = nullif(split_part(actor, ':', 2), '')::uuid,
        reviewed_at = promote_field_values.reviewed_at
    WHERE r.tenant_id = tenant AND r.id = p_response
    RETURNING 'promoted', r.status, r.waits INTO outcome, status, waits;
    event := public.emit_event(p_event, 'response.promoted', 'entities', p_response::text,
        jsonb_build_object('entity_id', p_entity, 'response_id', p_response, 'fields', p_dimensions, 'version', held.version + 1,
            'type', held.slug));
END;
$$;
CREATE FUNCTION public.provider_memberships(p_slugs text[], p_account uuid, p_email text) RETURNS TABLE(slug text, tenant_id uuid, user_id uuid, role text, provider text, namesake_id uuid, namesake_account uuid, namesake_role text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
    SELECT t.slug, t.id, own.user_id, own.role, own.provider, other.user_id, other.account_id, other.role
    FROM public.tenants t
    LEFT JOIN public.memberships own ON own.tenant_id = t.id AND own.account_id = p_account
    LEFT JOIN public.memberships other ON other.tenant_id = t.id AND other.email = p_email
          AND other.account_id IS DISTINCT FROM p_account
    WHERE t.slug = ANY (p_slugs) ORDER BY t.slug
$$;
CREATE FUNCTION public.prune_jobs(p_good interval, p_bad interval, p_limit integer) RETURNS integer
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'procrastinate', 'pg_temp'
    AS $$
    WITH old AS (
        SELECT j.id FROM procrastinate_jobs j
        WHERE j.status NOT IN ('todo', 'doing')
          AND (SELECT max(e.at) FROM procrastinate_events e WHERE e.job_id = j.id)
              < now() - CASE WHEN j.status = 'succeeded' THEN p_good ELSE p_bad END
        ORDER BY j.id LIMIT p_limit
    ), gone AS (
        DELETE FROM procrastinate_jobs j USING old WHERE j.id = old.id RETURNING j.id
    )
    SELECT count(*)::integer FROM gone
$$;
CREATE FUNCTION public.prune_sign_ins() RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO ''
    AS $$
    DELETE FROM public.sign_in_sessions WHERE expires_at < now();
    DELETE FROM public.invites WHERE expires_at < now();
    DELETE FROM public.password_resets WHERE expires_at < now();
    DELETE FROM public.sign_in_requests WHERE expires_at < now();
    DELETE FROM public.second_factors WHERE confirmed_at IS NULL AND created_at < now() - interval '1 day';
    DELETE FROM public.sign_in_attempts WHERE since < now() - interval '1 day'
$$;
CREATE FUNCTION public.put_key_hash(p_hash bytea, p_key uuid) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO ''
    AS $$
    INSERT INTO public.api_key_hashes (hash, tenant_id, key_id)
    VALUES (p_hash, nullif(current_setting('app.tenant', true), '')::uuid, p_key)
$$;
CREATE FUNCTION public.queue_webhooks(p_event uuid, p_name text) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    PERFORM FROM public.webhook_endpoints w
    WHERE w.tenant_id = tenant AND w.enabled AND w.events && ARRAY['*', p_name];
    IF FOUND THEN
        INSERT INTO public.marks (tenant_id, kind, key) VALUES (tenant, 'webhooks.spread', p_event);
    END IF;
END;
$$;
CREATE FUNCTION public.react(p_project text, p_conversation text, p_turn text, p_end_user text, p_by_member boolean, p_id uuid, p_event uuid, p_reaction text, p_comment text, p_ts timestamp with time zone, p_ts_said boolean, p_text text, p_payload jsonb, p_most integer, p_feedback uuid, p_feedback_event uuid, OUT outcome text, OUT artifact jsonb, OUT replaced text, OUT event jsonb, OUT feedback jsonb) RETURNS record
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION public.rebuild_entity_words(p_entity uuid, p_words text[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    DELETE FROM public.entity_words WHERE tenant_id = tenant AND entity_id = p_entity AND word <> ALL (p_words);
    INSERT INTO public.entity_words (tenant_id, word, entity_id) SELECT tenant, w, p_entity FROM unnest(p_words) w
    ON CONFLICT DO NOTHING;
END;
$$;
CREATE FUNCTION public.record_field_changes(p_entity uuid, p_kind text, p_before jsonb, p_after jsonb, p_version integer, p_response uuid DEFAULT NULL::uuid, p_dimensions jsonb DEFAULT '{}'::jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    actor text := current_setting('app.actor', true);
    many constant integer := 100;  -- fields; fewer are checked soon enough by any plan
    changed record;
    held jsonb;  -- looked up by field and not joined: a plan made while the table was small would read it for every field
    moment timestamptz := public.moment();  -- the caller holds the record
    earlier uuid[];
    displaced uuid[];
BEGIN
    -- Each content is read once: a lookup by field would unpack a stored one again for every field.
    SELECT array_agg(gen_random_uuid()) AS ids, array_agg(field) AS fields, array_agg(b.value) AS before, array_agg(a.value) AS after INTO changed
    FROM jsonb_each(p_before) b (field, value) FULL JOIN jsonb_each(p_after) a (field, value) USING (field)
    WHERE b.value IS DISTINCT FROM a.value OR p_dimensions ? field;
    IF cardinality(changed.fields) > many THEN
        -- Plans of foreign keys are kept. Those made while a table was small read all of a tenant's rows for each field.
        DISCARD PLANS;
    END IF;
    SELECT jsonb_object_agg(s.field, s.history_id) INTO held FROM public.entity_field_sources s
    WHERE s.tenant_id = tenant AND s.entity_id = p_entity;
    WITH written AS (
        INSERT INTO public.entity_field_history (tenant_id, id, entity_id, field, kind, value, value_before,
            response_id, dimension_key, prior_source_id, entity_version, actor_kind, actor_id, created_at)
        SELECT tenant, c.id, p_entity, c.field, p_kind, c.value, c.value_before,
               p_response, p_dimensions ->> c.field, (held ->> c.field)::uuid, p_version,
               split_part(actor, ':', 1), nullif(split_part(actor, ':', 2), '')::uuid, moment
        FROM unnest(changed.ids, changed.fields, changed.before, changed.after) c (id, field, value_before, value)
        RETURNING prior_source_id
    )
    SELECT array_agg(w.prior_source_id) INTO earlier FROM written w WHERE w.prior_source_id IS NOT NULL;
    INSERT INTO public.entity_field_sources (tenant_id, entity_id, field, history_id)
    SELECT tenant, p_entity, c.field, c.id FROM unnest(changed.ids, changed.fields) c (id, field)
    ON CONFLICT (tenant_id, entity_id, field) DO UPDATE SET history_id = excluded.history_id;
    IF earlier IS NOT NULL THEN
        -- With the record, and without what an index of responses holds: a plan made while the table was small would go through
        -- all of a tenant's promotions by that.
        SELECT array_agg(DISTINCT h.response_id) FILTER (WHERE h.response_id IS NOT NULL) INTO displaced
        FROM public.entity_field_history h WHERE h.tenant_id = tenant AND h.entity_id = p_entity AND h.id = ANY (earlier);
    END IF;
    IF displaced IS NOT NULL THEN
        PERFORM public.refresh_response_status(displaced);
    END IF;
END;
$$;
CREATE FUNCTION public.refresh_response_status(p_responses uuid[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    UPDATE public.entity_responses r
    SET status = public.derive_response_status(r.status, r.promotable_fields, r.promoted_fields, EXISTS (
        SELECT FROM public.entity_field_sources s
        JOIN public.entity_field_history h ON h.tenant_id = s.tenant_id AND h.id = s.history_id
        WHERE s.tenant_id = tenant AND s.entity_id = r.entity_id AND h.response_id = r.id))
    WHERE r.tenant_id = tenant AND r.id = ANY (p_responses);
END;
$$;
CREATE FUNCTION public.refresh_response_summary(p_entity uuid, p_response uuid) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    held record;
    set_id uuid;
    summary jsonb;
BEGIN
    SELECT e.metadata -> 'response_summary' AS summary, public.featured_set(t.config) AS featured INTO held
    FROM public.entities e JOIN public.entity_types t ON t.tenant_id = e.tenant_id AND t.id = e.type_id
    WHERE e.tenant_id = tenant AND e.id = p_entity FOR NO KEY UPDATE OF e;
    SELECT r.criteria_set_id INTO set_id FROM public.entity_responses r WHERE r.tenant_id = tenant AND r.id = p_response;
    IF held.summary ->> 'latest_criteria_set_id' IS DISTINCT FROM set_id::text AND held.featured IS DISTINCT FROM set_id THEN
        RETURN;
    END IF;
    summary := public.compute_response_summary(p_entity, set_id, clock_timestamp());
    IF summary IS NULL AND held.summary ->> 'latest_criteria_set_id' = set_id::text THEN
        UPDATE public.entities SET metadata = metadata - 'response_summary' WHERE tenant_id = tenant AND id = p_entity;
    ELSIF summary - 'updated_at' IS DISTINCT FROM held.summary - 'updated_at' AND summary IS NOT NULL THEN
        summary := jsonb_build_object('response_summary', summary);
        UPDATE public.entities SET metadata = metadata || summary WHERE tenant_id = tenant AND id = p_entity;
    END IF;
END;
$$;
CREATE FUNCTION public.refresh_type_responses(p_slug text) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    held record;
    changed uuid[];
    rated uuid[];
    entity uuid;
    summary jsonb;
BEGIN
    SELECT t.id, (t.json_schema -> 'properties')::jsonb AS properties, public.featured_set(t.config) AS featured
    INTO held FROM public.entity_types t WHERE t.tenant_id = tenant AND t.slug = p_slug;
    PERFORM FROM public.entities e
    WHERE e.tenant_id = tenant AND e.type_id = held.id AND e.id IN (
        SELECT r.entity_id FROM public.entity_responses r WHERE r.tenant_id = tenant
          AND r.promotable_fields <> public.promotable_dimensions(r.values, r.criteria_snapshot, held.properties))
    ORDER BY e.id FOR NO KEY UPDATE;
    WITH renewed AS (
        UPDATE public.entity_responses r
        SET promotable_fields = public.promotable_dimensions(r.values, r.criteria_snapshot, held.properties)
        FROM public.entities e
        WHERE e.tenant_id = tenant AND e.type_id = held.id AND r.tenant_id = tenant AND r.entity_id = e.id
          AND r.promotable_fields <> public.promotable_dimensions(r.values, r.criteria_snapshot, held.properties)
        RETURNING r.id
    )
    SELECT array_agg(id) INTO changed FROM renewed;
    PERFORM public.refresh_response_status(changed);
    SELECT array_agg(n.entity_id ORDER BY n.entity_id) INTO rated
    FROM (SELECT DISTINCT r.entity_id FROM public.entity_responses r
          WHERE r.tenant_id = tenant AND r.criteria_set_id = held.featured AND r.withdrawn_at IS NULL
            AND r.status <> 'rejected' AND r.normalized_score IS NOT NULL) n
    JOIN public.entities e ON e.tenant_id = tenant AND e.id = n.entity_id AND e.type_id = held.id
    WHERE e.metadata #>> '{response_summary,latest_criteria_set_id}' IS DISTINCT FROM held.featured::text;
    FOREACH entity IN ARRAY coalesce(rated, '{}') LOOP
        summary := public.compute_response_summary(entity, held.featured, clock_timestamp());
        CONTINUE WHEN summary IS NULL;  -- somebody has just withdrawn it
        summary := jsonb_build_object('response_summary', summary);
        UPDATE public.entities e SET metadata = e.metadata || summary
        WHERE e.tenant_id = tenant AND e.id = entity  -- unless somebody has just rated it
          AND e.metadata #>> '{response_summary,latest_criteria_set_id}' IS DISTINCT FROM held.featured::text;
    END LOOP;
END;
$$;
CREATE FUNCTION public.refuse_erased(p_sessions text[], p_conversations text[], p_end_users text[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    IF EXISTS (SELECT FROM public.erasure_blocks b WHERE b.tenant_id = tenant AND (
        b.kind = 'session' AND b.key = ANY (p_sessions) OR b.kind = 'conversation' AND b.key = ANY (p_conversations)
        OR b.kind = 'end_user' AND b.key = ANY (p_end_users))) THEN
        RAISE EXCEPTION 'this is being erased' USING ERRCODE = 'GL001';
    END IF;
END;
$$;
CREATE FUNCTION public.remove_second_factor(p_account uuid) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO ''
    AS $$
    DELETE FROM public.second_factors WHERE account_id = p_account
$$;
CREATE FUNCTION public.repair_response_summaries(p_after uuid, p_batch integer) RETURNS uuid
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    batch uuid[];
    entity uuid;
    held record;
    summary jsonb;
BEGIN
    SELECT array_agg(b.id ORDER BY b.id) INTO batch FROM (
        SELECT e.id FROM public.entities e WHERE e.tenant_id = tenant AND e.id > p_after
        ORDER BY e.id LIMIT p_batch FOR NO KEY UPDATE) b;
    FOREACH entity IN ARRAY coalesce(batch, '{}') LOOP
        SELECT e.metadata -> 'response_summary' AS summary, public.featured_set(t.config) AS featured INTO held
        FROM public.entities e JOIN public.entity_types t ON t.tenant_id = e.tenant_id AND t.id = e.type_id
        WHERE e.tenant_id = tenant AND e.id = entity;
        summary := public.compute_response_summary(entity, held.featured, clock_timestamp());
        IF summary IS NULL THEN
            summary := public.compute_response_summary(entity, (held.summary ->> 'latest_criteria_set_id')::uuid, clock_timestamp());
        END IF;
        IF summary - 'updated_at' IS DISTINCT FROM held.summary - 'updated_at' THEN
            summary := CASE WHEN summary IS NULL THEN '{}'::jsonb ELSE jsonb_build_object('response_summary', summary) END;
            UPDATE public.entities e SET metadata = (e.metadata - 'response_summary') || summary
            WHERE e.tenant_id = tenant AND e.id = entity;
        END IF;
    END LOOP;
    RETURN CASE WHEN cardinality(batch) = p_batch THEN batch[p_batch] END;
END;
$$;
CREATE FUNCTION public.replace_otel_body(p_batch bytea, p_encoding smallint, p_spans integer, p_trace_ids bytea, p_body bytea) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    IF p_body IS NULL THEN
        DELETE FROM public.otel_batches b WHERE b.tenant_id = tenant AND b.id = p_batch;
    ELSE
        UPDATE public.otel_batches b SET encoding = p_encoding, spans = p_spans, trace_ids = p_trace_ids, body = p_body
        WHERE b.tenant_id = tenant AND b.id = p_batch;
    END IF;
END;
$$;
CREATE FUNCTION public.reset_password(p_account uuid, p_password_hash text, p_seen text[]) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
BEGIN
    IF NOT public.set_password(p_account, p_password_hash, p_seen) THEN
        RETURN false;
    END IF;
    DELETE FROM public.sign_in_sessions WHERE user_id = p_account;
    RETURN true;
END;
$$;
CREATE FUNCTION public.response_refs(p_entity uuid, p_field_meta jsonb) RETURNS TABLE(ref text, title text, dimensions text[])
    LANGUAGE plpgsql IMMUTABLE
    AS $_$
BEGIN
    RETURN QUERY
    SELECT x.ref, left(min(x.title), 300), array_agg(DISTINCT x.dimension ORDER BY x.dimension)
    FROM (
        SELECT m.key AS dimension, public.source_ref(s.value, p_entity) AS ref,
               public.source_text(s.value, 'title', 'name', 'label') AS title
        FROM jsonb_each(p_field_meta) m
        CROSS JOIN LATERAL jsonb_array_elements(
            CASE WHEN jsonb_typeof(m.value -> 'sources') = 'array' THEN m.value -> 'sources' ELSE '[]' END) s
        WHERE jsonb_typeof(s.value) = 'object'
        UNION ALL
        SELECT m.key, 'session:' || (m.value ->> 'session_id')::uuid::text, NULL FROM jsonb_each(p_field_meta) m
        WHERE m.value ->> 'session_id' ~ '^[{]?[0-9a-fA-F]{8}-?([0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}[}]?$'
    ) x
    WHERE x.ref IS NOT NULL GROUP BY x.ref;
END;
$_$;
CREATE FUNCTION public.retry_job(p_id uuid) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'procrastinate', 'pg_temp'
    AS $$
DECLARE
    found_id bigint;
BEGIN
    SELECT j.id INTO found_id FROM procrastinate_jobs j
    WHERE j.args ->> 'id' = p_id::text AND j.args ? 'id'
      AND j.args ->> 'tenant_id' = nullif(current_setting('app.tenant', true), '') AND j.status = 'failed'
    FOR UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    -- procrastinate counts the retry itself as a run, and would keep a request to stop that is over.
    UPDATE procrastinate_jobs SET attempts = attempts - 1, abort_requested = false WHERE id = found_id;
    PERFORM procrastinate_retry_job_v2(found_id, NULL, NULL, NULL, NULL);
    PERFORM pg_notify('procrastinate_any_queue_v1', json_build_object('type', 'job_inserted', 'job_id', found_id)::text);
    PERFORM public.notify_change('jobs', p_id::text);
    RETURN true;
END;
$$;
CREATE FUNCTION public.review_response(p_entity uuid, p_response uuid, p_before text, p_after text, p_notes text) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    actor text := current_setting('app.actor', true);
    entity uuid;
    moment timestamptz;
BEGIN
    PERFORM FROM public.entities e  -- the record first, as promotion does: two never wait for each other
    WHERE e.tenant_id = tenant AND e.id = p_entity FOR NO KEY UPDATE;
    -- By its id alone: with the record beside it, a plan may go through all responses to that.
    SELECT r.entity_id INTO entity FROM public.entity_responses r WHERE r.tenant_id = tenant AND r.id = p_response;
    IF entity IS DISTINCT FROM p_entity THEN
        RETURN false;
    END IF;
    moment := public.moment();
    UPDATE public.entity_responses SET status = p_after, review_notes = p_notes, reviewed_at = moment,
        reviewed_by_kind = split_part(actor, ':', 1), reviewed_by = nullif(split_part(actor, ':', 2), '')::uuid
    WHERE tenant_id = tenant AND id = p_response AND status = p_before
      AND promoted_fields = '{}' AND withdrawn_at IS NULL;
    RETURN FOUND;
END;
$$;
CREATE FUNCTION public.score_of_100(p_normalized double precision) RETURNS double precision
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT round((p_normalized * 100)::numeric, 2)::double precision
$$;
CREATE FUNCTION public.scrub_eval_runs(p_goldens uuid[]) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    run record;
    cleaned jsonb;
    changed bigint := 0;
BEGIN
    FOR run IN SELECT r.id, r.results FROM public.eval_runs r WHERE r.tenant_id = tenant AND r.results IS NOT NULL
        AND EXISTS (SELECT FROM public.eval_replays p WHERE p.tenant_id = tenant AND p.run_id = r.id AND p.golden_id = ANY (p_goldens))
    LOOP
        SELECT coalesce(jsonb_agg(CASE WHEN jsonb_typeof(a.report -> 'goldens') = 'array' THEN a.report || jsonb_build_object('goldens', (
            SELECT coalesce(jsonb_agg(CASE WHEN (g.golden ->> 'goldenId')::uuid = ANY (p_goldens)
                THEN g.golden || '{"divergence": null, "error": null}' ELSE g.golden END ORDER BY g.place), '[]')
            FROM jsonb_array_elements(a.report -> 'goldens') WITH ORDINALITY AS g (golden, place))) ELSE a.report END ORDER BY a.place), '[]')
        INTO cleaned
        FROM jsonb_array_elements(run.results) WITH ORDINALITY AS a (report, place);
        IF cleaned <> run.results THEN
            UPDATE public.eval_runs r SET results = cleaned WHERE r.tenant_id = tenant AND r.id = run.id;
            changed := changed + 1;
        END IF;
    END LOOP;
    RETURN changed;
END;
$$;
CREATE FUNCTION public.scrub_events(p_erasure uuid, p_after uuid, p_limit integer, OUT last uuid, OUT gone bigint) RETURNS record
    LANGUAGE plpgsql
    AS $_$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    ids text[];
    users text[];
    batch uuid[];
BEGIN
    SELECT array_agg(i.place[1]) FILTER (WHERE i.kind IN ('session', 'feedback', 'response', 'record', 'golden')),
           array_agg(i.place[1]) FILTER (WHERE i.kind = 'end_user')
    INTO ids, users
    FROM public.erasure_items i WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure;
    SELECT array_agg(n.id ORDER BY n.id) INTO batch FROM (
        SELECT e.id FROM public.events e WHERE e.tenant_id = tenant AND e.id > p_after ORDER BY e.id LIMIT p_limit) n;
    gone := 0;
    IF batch IS NULL THEN
        RETURN;
    END IF;
    last := CASE WHEN cardinality(batch) = p_limit THEN batch[p_limit] END;
    UPDATE public.events e SET payload = '{"erased": true}',
        subject_id = CASE WHEN e.subject_id ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' THEN e.subject_id ELSE 'erased' END
    WHERE e.tenant_id = tenant AND e.id = ANY (batch) AND e.payload <> '{"erased": true}' AND e.topic <> 'erasures' AND (
        e.subject_id = ANY (ids) OR EXISTS (SELECT FROM jsonb_each_text(e.payload) AS v (key, value) WHERE v.value = ANY (ids))
        OR e.payload ->> 'user_id' = ANY (users) AND coalesce(e.payload ->> 'user_type', '') <> 'member'
        OR EXISTS (
            SELECT FROM public.erasure_items i WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure
              AND i.kind IN ('conversation', 'turn') AND i.place[1] = e.payload ->> 'project'
              AND i.place[2] = e.payload ->> 'conversation_id'
              AND (i.kind = 'conversation' OR i.place[3] = e.payload ->> 'turn_id' OR e.payload -> 'turn_ids' ? i.place[3])));
    GET DIAGNOSTICS gone = ROW_COUNT;
    -- What was sent of them to receivers is made of the event anew whenever somebody looks; what these answered is not.
    UPDATE public.webhook_attempts a SET answer = NULL, answer_type = NULL
    FROM public.webhook_deliveries d JOIN public.events e ON e.tenant_id = d.tenant_id AND e.id = d.event_id
    WHERE a.tenant_id = tenant AND d.tenant_id = tenant AND a.delivery_id = d.id AND a.answer IS NOT NULL
      AND d.event_id = ANY (batch) AND e.payload = '{"erased": true}';
    UPDATE public.webhook_deliveries d SET subject_id = e.subject_id FROM public.events e
    WHERE d.tenant_id = tenant AND e.tenant_id = tenant AND e.id = d.event_id AND d.event_id = ANY (batch)
      AND e.payload = '{"erased": true}' AND d.subject_id <> e.subject_id;
END;
$_$;
CREATE FUNCTION public.scrub_notes(p_erasure uuid, p_instead text) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    named constant text := '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
    ids text[];
    retractions bigint; items bigint; labels bigint;
BEGIN
    SELECT coalesce(array_agg(i.place[1]), '{}') INTO ids FROM public.erasure_items i WHERE i.tenant_id = tenant
      AND i.erasure_id = p_erasure AND i.kind IN ('session', 'feedback', 'response', 'record', 'golden');
    UPDATE public.chain_items c SET note = NULL WHERE c.tenant_id = tenant AND c.note IS NOT NULL AND (
        substring(c.ref FROM named) = ANY (ids) OR EXISTS (SELECT FROM public.chain_retractions t WHERE t.tenant_id = tenant
            AND t.id = c.retraction_id AND (substring(t.ref FROM named) = ANY (ids) OR t.reason = p_instead)));
    GET DIAGNOSTICS items = ROW_COUNT;
    UPDATE public.chain_retractions t SET reason = p_instead
    WHERE t.tenant_id = tenant AND t.reason <> p_instead AND (substring(t.ref FROM named) = ANY (ids) OR EXISTS (
        SELECT FROM public.chain_items c WHERE c.tenant_id = tenant AND c.retraction_id = t.id AND substring(c.ref FROM named) = ANY (ids)));
    GET DIAGNOSTICS retractions = ROW_COUNT;
    UPDATE public.eval_judge_labels l SET note = '', "values" = public.without_text(l."values", p_instead)
    WHERE l.tenant_id = tenant AND (l.note <> '' OR l."values" <> public.without_text(l."values", p_instead)) AND (
        l.replay_id::text = ANY (ids) OR EXISTS (SELECT FROM public.eval_replays r WHERE r.tenant_id = tenant
            AND r.id = l.replay_id AND r.golden_id::text = ANY (ids)));
    GET DIAGNOSTICS labels = ROW_COUNT;
    RETURN jsonb_build_object('chain_retractions (text)', retractions, 'chain_items (text)', items, 'eval_judge_labels (text)', labels);
END;
$$;
CREATE FUNCTION public.scrub_queue(p_erasure uuid, p_job uuid) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'procrastinate', 'pg_temp'
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    ids text[];
    places text[];
    users text[];
    whole text[];  -- conversations that go as such
    turns text[];
    named constant text := '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
    jobs bigint; failures bigint; marks bigint; answers bigint;
BEGIN
    SELECT coalesce(array_agg(i.place[1]) FILTER (WHERE i.kind IN ('session', 'feedback', 'response', 'record', 'trace', 'reaction')), '{}'),
           coalesce(array_agg(i.place[1] || '/' || i.place[2]) FILTER (WHERE i.kind IN ('conversation', 'turn')), '{}'),
           coalesce(array_agg(i.place[1]) FILTER (WHERE i.kind = 'end_user'), '{}'),
           coalesce(array_agg(array_to_string(i.place, '/')) FILTER (WHERE i.kind = 'conversation'), '{}'),
           coalesce(array_agg(array_to_string(i.place, '/')) FILTER (WHERE i.kind = 'turn'), '{}')
    INTO ids, places, users, whole, turns
    FROM public.erasure_items i WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure;
    DELETE FROM procrastinate.procrastinate_jobs j
    WHERE j.args ? 'id' AND j.args ->> 'tenant_id' = tenant::text AND j.args ->> 'id' <> p_job::text AND j.status <> 'doing' AND (
        ARRAY(SELECT m[1] FROM regexp_matches((j.args -> 'payload')::text, named, 'g') AS m) && ids
        OR j.args #>> '{payload,user_id}' = ANY (users) OR j.args #>> '{payload,event,user_id}' = ANY (users)
        OR (j.args #>> '{payload,event,project}') || '/' || (j.args #>> '{payload,event,conversation_id}') = ANY (places)
        OR (j.args #>> '{payload,project}') || '/' || (j.args #>> '{payload,conversation_id}') = ANY (places));
    GET DIAGNOSTICS jobs = ROW_COUNT;
    DELETE FROM procrastinate.job_failures f USING procrastinate.procrastinate_jobs j
    WHERE j.id = f.job_id AND j.args ? 'id' AND j.args ->> 'tenant_id' = tenant::text
      AND ARRAY(SELECT m[1] FROM regexp_matches(f.message || f.detail, named, 'g') AS m) && ids;
    GET DIAGNOSTICS failures = ROW_COUNT;
    -- Also those that somebody has leased, who may be dead: whoever is not finds nothing left to rebuild.
    DELETE FROM public.marks k WHERE k.tenant_id = tenant AND (k.key = ANY (ids) OR EXISTS (
        SELECT FROM unnest(whole) AS p (place) WHERE k.key = p.place OR starts_with(k.key, p.place || '/')) OR k.key = ANY (turns));
    GET DIAGNOSTICS marks = ROW_COUNT;
    DELETE FROM public.idempotency_keys i WHERE i.tenant_id = tenant
      AND ARRAY(SELECT m[1] FROM regexp_matches(i.response::text, named, 'g') AS m) && ids;
    GET DIAGNOSTICS answers = ROW_COUNT;
    RETURN jsonb_build_object('jobs', jobs, 'job_failures', failures, 'marks', marks, 'idempotency_keys', answers);
END;
$$;
CREATE FUNCTION public.scrub_sessions(p_erasure uuid, p_after uuid, p_limit integer, p_instead text, OUT last uuid, OUT gone jsonb) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    ids text[];
    batch uuid[];
    reader record;
    named constant text := '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
    events bigint := 0; sessions bigint := 0; changed bigint;
BEGIN
    SELECT array_agg(i.place[1]) INTO ids FROM public.erasure_items i
    WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind IN ('session', 'feedback', 'response', 'record');
    SELECT array_agg(n.id ORDER BY n.id) INTO batch FROM (
        SELECT s.id FROM public.sessions s WHERE s.tenant_id = tenant AND s.source = 'run' AND s.id > p_after
        ORDER BY s.id LIMIT p_limit) n;
    gone := '{}';
    IF batch IS NULL OR ids IS NULL THEN
        RETURN;
    END IF;
    last := CASE WHEN cardinality(batch) = p_limit THEN batch[p_limit] END;
    FOR reader IN
        SELECT e.session_id, min(e.seq) AS since FROM public.session_events e
        WHERE e.tenant_id = tenant AND e.session_id = ANY (batch)
          AND ARRAY(SELECT m[1] FROM regexp_matches(e.payload::text, named, 'g') AS m) && ids
        GROUP BY e.session_id
    LOOP
        INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
        SELECT DISTINCT tenant, p_erasure, 'blob', ARRAY[e.blob] FROM public.session_events e
        WHERE e.tenant_id = tenant AND e.session_id = reader.session_id AND e.seq >= reader.since AND e.blob IS NOT NULL
        ON CONFLICT DO NOTHING;
        UPDATE public.session_events e SET payload = public.without_text(e.payload, p_instead), blob = NULL
        WHERE e.tenant_id = tenant AND e.session_id = reader.session_id AND e.seq >= reader.since;
        GET DIAGNOSTICS changed = ROW_COUNT;
        events := events + changed;
        DELETE FROM public.session_words w WHERE w.tenant_id = tenant AND w.session_id = reader.session_id;
        EXECUTE 'SET LOCAL app.goldens = ''open''';
        UPDATE public.sessions s SET output = public.without_text(s.output, p_instead),
            error_message = CASE WHEN s.error_message IS NOT NULL THEN p_instead END
        WHERE s.tenant_id = tenant AND s.id = reader.session_id;
        EXECUTE 'SET LOCAL app.goldens = ''''';
        sessions := sessions + 1;
    END LOOP;
    gone := jsonb_build_object('sessions (text)', sessions, 'session_events (text)', events);
END;
$$;
CREATE FUNCTION public.session_memberships(p_hash bytea) RETURNS TABLE(tenant_id uuid, user_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
    SELECT m.tenant_id, m.user_id
    FROM public.sign_in_sessions s JOIN public.memberships m ON m.account_id = s.user_id
    WHERE s.hash = p_hash AND s.expires_at > now() AND s.created_at > coalesce(m.signed_in_after, '-infinity')
    ORDER BY m.created_at, m.tenant_id
$$;
CREATE FUNCTION public.set_first_password(p_user uuid, p_password_hash text, p_name text) RETURNS uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    address text;
    account uuid;
BEGIN
    SELECT m.email INTO address FROM public.memberships m
    WHERE m.tenant_id = tenant AND m.user_id = p_user AND m.account_id IS NULL FOR UPDATE;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    account := public.ensure_account(tenant, p_user, address, p_password_hash, p_name);
    UPDATE public.memberships SET account_id = account, joined_at = now() WHERE tenant_id = tenant AND user_id = p_user;
    DELETE FROM public.invites WHERE tenant_id = tenant AND user_id = p_user;
    RETURN account;
END;
$$;
CREATE FUNCTION public.set_marks(p_kind text, p_keys text[], p_delay interval DEFAULT '00:00:00'::interval) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    WITH held AS (
        SELECT m.key FROM public.marks m
        WHERE m.tenant_id = tenant AND m.kind = p_kind AND m.key = ANY (p_keys)
          AND m.leased_until IS NULL AND m.attempts = 0
        FOR SHARE SKIP LOCKED
    )
    INSERT INTO public.marks (tenant_id, kind, key, due_at)
    SELECT tenant, p_kind, wanted.key, clock_timestamp() + p_delay
    FROM (SELECT DISTINCT unnest(p_keys) AS key) wanted
    WHERE NOT EXISTS (SELECT FROM held WHERE held.key = wanted.key);
    IF FOUND AND p_delay = '0' THEN
        PERFORM pg_notify('goldloop_marks', p_kind);
    END IF;
END;
$$;
CREATE FUNCTION public.set_password(p_account uuid, p_password_hash text, p_seen text[]) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
DECLARE
    address text;
    same uuid[];
BEGIN
    SELECT u.email INTO address FROM public.users u WHERE u.id = p_account;
    IF address IS NULL OR public.lock_accounts(address) <> p_seen THEN
        RETURN false;
    END IF;
    same := ARRAY(SELECT u.id FROM public.users u
                  WHERE u.email = address AND u.password_hash = p_password_hash AND u.id <> p_account);
    UPDATE public.memberships SET account_id = p_account WHERE account_id = ANY (same);
    UPDATE public.identities SET account_id = p_account WHERE account_id = ANY (same);
    IF EXISTS (SELECT FROM public.second_factors f WHERE f.account_id = ANY (same) AND f.confirmed_at IS NOT NULL) THEN
        DELETE FROM public.second_factors WHERE account_id = p_account;
        INSERT INTO public.second_factors (account_id, secret, last_step, created_at, confirmed_at)
        SELECT p_account, f.secret, f.last_step, f.created_at, f.confirmed_at FROM public.second_factors f
        WHERE f.account_id = ANY (same) AND f.confirmed_at IS NOT NULL LIMIT 1;
        INSERT INTO public.recovery_codes (account_id, hash)
        SELECT p_account, c.hash FROM public.recovery_codes c WHERE c.account_id = ANY (same) ON CONFLICT DO NOTHING;
        DELETE FROM public.sign_in_sessions WHERE user_id = p_account;
    END IF;
    DELETE FROM public.users WHERE id = ANY (same);
    UPDATE public.users SET password_hash = p_password_hash WHERE id = p_account;
    PERFORM pg_notify('goldloop_auth', '');
    RETURN true;
END;
$$;
CREATE FUNCTION public.set_recovery_codes(p_account uuid, p_hashes bytea[]) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO ''
    AS $$
    DELETE FROM public.recovery_codes WHERE account_id = p_account;
    INSERT INTO public.recovery_codes (account_id, hash) SELECT p_account, h FROM unnest(p_hashes) h ON CONFLICT DO NOTHING
$$;
CREATE FUNCTION public.settle_feedback(p_response uuid, p_session uuid, p_sources text[], p_status text, p_notes text) RETURNS TABLE(id uuid, source_type text, group_id uuid)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    actor text := current_setting('app.actor', true);
    actor_id uuid := nullif(split_part(actor, ':', 2), '')::uuid;
    before text := coalesce(current_setting('app.feedback', true), '');
    moment timestamptz := public.moment();
BEGIN
    EXECUTE 'SET LOCAL app.feedback = ''open''';
    RETURN QUERY UPDATE public.feedback f
    SET status = p_status, reviewed_at = moment, updated_at = moment, review_notes = p_notes,
        reviewed_by_user_id = CASE WHEN actor LIKE 'user:%' THEN actor_id END,
        reviewed_by_agent_id = CASE WHEN actor LIKE 'agent:%' THEN actor_id END
    WHERE f.tenant_id = tenant AND (f.response_id = p_response OR f.session_id = p_session) AND f.source_type = ANY (p_sources) AND f.status = 'pending'
    RETURNING f.id, f.source_type, f.group_id;
    EXECUTE format('SET LOCAL app.feedback = %L', before);
END;
$$;
CREATE FUNCTION public.settle_reaction(p_id uuid, p_conversation text, p_turn text, p_text text, p_payload jsonb, p_event uuid, p_feedback uuid, p_feedback_event uuid, OUT outcome text, OUT event jsonb, OUT feedback jsonb) RETURNS record
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION public.settle_request_counts(p_process uuid, p_minute timestamp with time zone, p_subjects uuid[], p_requests integer[]) RETURNS bigint[]
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    INSERT INTO public.request_counts AS c (tenant_id, subject_id, process_id, minute, requests)
    SELECT tenant, u.subject_id, p_process, p_minute, u.requests FROM unnest(p_subjects, p_requests) AS u (subject_id, requests)
    ON CONFLICT (tenant_id, subject_id, process_id) DO UPDATE SET minute = excluded.minute, requests = excluded.requests;
    RETURN ARRAY(
        SELECT coalesce((SELECT sum(c.requests) FROM public.request_counts c
                         WHERE c.tenant_id = tenant AND c.subject_id = u.subject_id AND c.process_id <> p_process
                           AND c.minute = p_minute), 0)
        FROM unnest(p_subjects) WITH ORDINALITY AS u (subject_id, place) ORDER BY u.place);
END;
$$;
CREATE FUNCTION public.show_account(p_session bytea) RETURNS TABLE(account_id uuid, has_password boolean, second_factor_since timestamp with time zone, recovery_codes_left integer, identities jsonb)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
    SELECT u.id, u.password_hash IS NOT NULL,
           (SELECT f.confirmed_at FROM public.second_factors f WHERE f.account_id = u.id),
           (SELECT count(*)::integer FROM public.recovery_codes c WHERE c.account_id = u.id),
           coalesce((SELECT jsonb_agg(jsonb_build_object('id', i.id, 'provider', i.provider, 'email', i.email,
                                                         'linked_at', i.linked_at, 'last_used_at', i.last_used_at)
                                      ORDER BY i.linked_at, i.id)
                     FROM public.identities i WHERE i.account_id = u.id), '[]')
    FROM public.sign_in_sessions s JOIN public.users u ON u.id = s.user_id
    WHERE s.hash = p_session AND s.expires_at > now()
$$;
CREATE FUNCTION public.sign_in_ways(p_users uuid[]) RETURNS TABLE(user_id uuid, has_password boolean, has_second_factor boolean, providers text[])
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
    SELECT m.user_id, u.password_hash IS NOT NULL,
           EXISTS (SELECT FROM public.second_factors f WHERE f.account_id = u.id AND f.confirmed_at IS NOT NULL),
           ARRAY(SELECT DISTINCT i.provider FROM public.identities i WHERE i.account_id = u.id ORDER BY i.provider)
    FROM public.memberships m JOIN public.users u ON u.id = m.account_id
    WHERE m.tenant_id = nullif(current_setting('app.tenant', true), '')::uuid AND m.user_id = ANY (p_users)
$$;
CREATE FUNCTION public.source_before(p_entity uuid, p_field text, p_promotion uuid, OUT history_id uuid, OUT value jsonb) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    history_id := p_promotion;
    LOOP
        SELECT h.prior_source_id, h.value_before INTO history_id, value FROM public.entity_field_history h
        WHERE h.tenant_id = tenant AND h.entity_id = p_entity AND h.field = p_field AND h.id = history_id;
        EXIT WHEN history_id IS NULL OR NOT EXISTS (
            SELECT FROM public.entity_field_history h
            JOIN public.entity_responses r ON r.tenant_id = h.tenant_id AND r.id = h.response_id
            WHERE h.tenant_id = tenant AND h.id = history_id AND (r.status = 'rejected' OR r.withdrawn_at IS NOT NULL));
    END LOOP;
END;
$$;
CREATE FUNCTION public.source_ref(p_source jsonb, p_entity uuid) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    AS $_$
DECLARE
    kind text := p_source ->> 'type';
    record_id text := public.source_text(p_source, 'entity_id', 'entityId', 'id');
    name text;
BEGIN
    IF kind IN ('entity', 'field') THEN
        IF record_id ~ '^[{]?[0-9a-fA-F]{8}-?([0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}[}]?$' THEN
            record_id := record_id::uuid::text;
            IF kind = 'entity' THEN
                RETURN 'record:' || record_id;
            END IF;
        ELSIF kind = 'field' THEN
            record_id := p_entity::text;
        END IF;
    END IF;
    name := CASE kind
        WHEN 'web' THEN split_part(public.source_text(p_source, 'url', 'title', 'name', 'label'), '#', 1)
        WHEN 'document' THEN public.source_text(p_source, 'document_id', 'documentId', 'id', 'title', 'name', 'label', 'url')
        WHEN 'entity' THEN public.source_text(p_source, 'entity_id', 'entityId', 'id', 'title', 'name', 'label')
        WHEN 'field' THEN public.source_text(p_source, 'field', 'field_key', 'name', 'label', 'title')
    END;
    IF name IS NULL OR name = '' THEN
        RETURN NULL;
    ELSIF length(name) > 300 THEN
        name := left(name, 260) || '~' || left(encode(sha256(convert_to(name, 'UTF8')), 'hex'), 32);
    END IF;
    RETURN CASE WHEN kind = 'field' THEN 'field:' || record_id || '/' || name ELSE 'source:' || kind || ':' || name END;
END;
$_$;
CREATE FUNCTION public.source_text(p_source jsonb, VARIADIC p_keys text[]) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    AS $$
DECLARE
    key text;
    found text;
BEGIN
    FOREACH key IN ARRAY p_keys LOOP
        IF jsonb_typeof(p_source -> key) IN ('string', 'number') THEN
            found := btrim(p_source ->> key, E' \t\r\n');
            IF found <> '' THEN
                RETURN found;
            END IF;
        END IF;
    END LOOP;
    RETURN NULL;
END;
$$;
CREATE FUNCTION public.spread_otel_batches(p_mark text, p_limit integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    batches bytea[];
    traces text[];
BEGIN
    SELECT array_agg(n.id) INTO batches
    FROM (SELECT b.id FROM public.otel_batches b WHERE b.tenant_id = tenant AND NOT b.is_spread
          ORDER BY b.received_at LIMIT p_limit FOR UPDATE) n;
    IF batches IS NULL THEN
        RETURN 0;
    END IF;
    WITH added AS (
        INSERT INTO public.otel_trace_batches (tenant_id, trace_id, batch_id)
        SELECT tenant, substring(b.trace_ids FROM 16 * place + 1 FOR 16), b.id
        FROM public.otel_batches b, generate_series(0, length(b.trace_ids) / 16 - 1) AS place
        WHERE b.tenant_id = tenant AND b.id = ANY (batches)
        ON CONFLICT DO NOTHING
        RETURNING trace_id
    )
    SELECT array_agg(DISTINCT encode(a.trace_id, 'hex')) INTO traces FROM added a;
    UPDATE public.otel_batches b SET is_spread = true WHERE b.tenant_id = tenant AND b.id = ANY (batches);
    IF traces IS NOT NULL THEN
        PERFORM public.set_marks(p_mark, traces);
    END IF;
    RETURN cardinality(batches);
END;
$$;
CREATE FUNCTION public.submit_response(p_id uuid, p_entity uuid, p_set uuid, p_set_version integer, p_snapshot jsonb, p_source text, p_values jsonb, p_field_meta jsonb, p_weighted double precision, p_normalized double precision, p_promotable text[], p_parent uuid, p_temporal_value text, p_notes text, p_scope jsonb, p_event uuid, p_set_at timestamp with time zone, p_type uuid, p_type_version integer, p_type_at timestamp with time zone, OUT outcome text, OUT created_at timestamp with time zone, OUT waits boolean, OUT event jsonb) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    actor_kind text := split_part(current_setting('app.actor', true), ':', 1);
    actor_id uuid := nullif(split_part(current_setting('app.actor', true), ':', 2), '')::uuid;
    is_featured boolean;
    target record;
    summary jsonb;
BEGIN
    PERFORM FROM public.criteria_sets c
    WHERE c.tenant_id = tenant AND c.id = p_set AND c.version = p_set_version AND c.updated_at = p_set_at
      AND c.archived_at IS NULL FOR SHARE;
    IF NOT FOUND THEN
        outcome := 'stale';
        RETURN;
    END IF;
    SELECT t.id AS type_id, t.version, t.updated_at, public.featured_set(t.config) AS featured INTO target
    FROM public.entities e JOIN public.entity_types t ON t.tenant_id = e.tenant_id AND t.id = e.type_id
    WHERE e.tenant_id = tenant AND e.id = p_entity;
    IF FOUND AND (target.type_id <> p_type OR target.version <> p_type_version OR target.updated_at <> p_type_at) THEN
        outcome := 'type_changed';
        RETURN;
    END IF;
    is_featured := p_normalized IS NOT NULL AND coalesce(target.featured = p_set, false);
    IF is_featured THEN
        PERFORM FROM public.entities e WHERE e.tenant_id = tenant AND e.id = p_entity FOR NO KEY UPDATE;
    ELSE
        PERFORM FROM public.entities e WHERE e.tenant_id = tenant AND e.id = p_entity FOR KEY SHARE;
    END IF;
    IF NOT FOUND THEN
        outcome := 'absent';
        RETURN;
    END IF;
    created_at := public.moment();
    INSERT INTO public.entity_responses (tenant_id, id, entity_id, criteria_set_id, criteria_snapshot, submitted_by_user,
        submitted_by_agent, source, values, field_meta, weighted_score, normalized_score, promotable_fields,
        parent_response_id, temporal_value, notes, scope, created_at, type_id)
    VALUES (tenant, p_id, p_entity, p_set, p_snapshot, CASE WHEN actor_kind = 'user' THEN actor_id END,
        CASE WHEN actor_kind = 'agent' THEN actor_id END, p_source, p_values, p_field_meta, p_weighted, p_normalized,
        p_promotable, p_parent, p_temporal_value, p_notes, p_scope, submit_response.created_at, target.type_id)
    ON CONFLICT DO NOTHING RETURNING entity_responses.waits INTO waits;
    IF NOT FOUND THEN
        outcome := 'taken';
        RETURN;
    END IF;
    IF p_field_meta <> '{}' THEN
        INSERT INTO public.response_sources (tenant_id, response_id, ref, title, dimensions)
        SELECT tenant, p_id, x.ref, x.title, x.dimensions FROM public.response_refs(p_entity, p_field_meta) x
        ON CONFLICT DO NOTHING;
    END IF;
    IF is_featured THEN
        summary := jsonb_build_object('response_summary', public.compute_response_summary(p_entity, p_set, created_at));
        UPDATE public.entities e SET metadata = e.metadata || summary WHERE e.tenant_id = tenant AND e.id = p_entity;
    END IF;
    event := public.emit_event(p_event, 'response.submitted', 'entities', p_id::text,
        jsonb_build_object('entity_id', p_entity, 'response_id', p_id, 'criteria_set_id', p_set, 'source', p_source)
        || CASE WHEN p_scope IS NULL THEN '{}'::jsonb ELSE jsonb_build_object('field_key', p_scope -> 'fieldKey') END);
    outcome := 'submitted';
END;
$$;
CREATE FUNCTION public.sweep_jobs(p_heartbeat interval, p_max_age interval) RETURNS TABLE(id uuid, tenant_id uuid, name text, requeued boolean, outcome text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'procrastinate', 'pg_temp'
    AS $$
DECLARE
    lost record;
    again boolean;
BEGIN
    FOR lost IN
        SELECT j.id, j.task_name, j.attempts, coalesce((j.args ->> 'max_attempts')::integer, 3) AS max_attempts,
               j.abort_requested, j.args ->> 'id' AS public_id, j.args ->> 'tenant_id' AS tenant
        FROM procrastinate_jobs j
        LEFT JOIN procrastinate_workers w ON w.id = j.worker_id
        WHERE j.status = 'doing'
          AND (w.id IS NULL OR w.last_heartbeat < now() - p_heartbeat
               OR (SELECT max(e.at) FROM procrastinate_events e
                   WHERE e.job_id = j.id AND e.type = 'started') < now() - p_max_age)
        ORDER BY j.id
        FOR UPDATE OF j SKIP LOCKED
    LOOP
        again := lost.attempts + 1 < lost.max_attempts AND NOT lost.abort_requested;
        INSERT INTO job_failures (job_id, attempt, type, message, detail)
        VALUES (lost.id, lost.attempts + 1, 'WorkerLost', 'The worker that ran this job stopped before it was done', '')
        ON CONFLICT DO NOTHING;
        IF again THEN
            PERFORM procrastinate_retry_job_v2(lost.id, NULL, NULL, NULL, NULL);
            PERFORM pg_notify('procrastinate_any_queue_v1',
                              json_build_object('type', 'job_inserted', 'job_id', lost.id)::text);
        ELSE
            PERFORM procrastinate_finish_job_v1(
                lost.id, (CASE WHEN lost.abort_requested THEN 'aborted' ELSE 'failed' END)::procrastinate_job_status, false);
        END IF;
        id := lost.public_id::uuid;
        tenant_id := lost.tenant::uuid;
        name := lost.task_name;
        requeued := again;
        outcome := CASE WHEN again THEN NULL WHEN lost.abort_requested THEN 'cancelled' ELSE 'failed' END;
        RETURN NEXT;
    END LOOP;
END;
$$;
CREATE FUNCTION public.take_back_sign_in_attempt(p_subject bytea) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO ''
    AS $$
    UPDATE public.sign_in_attempts SET attempts = attempts - 1 WHERE subject = p_subject AND attempts > 0
$$;
CREATE FUNCTION public.take_in_feedback(p_new jsonb, p_event uuid) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    actor text := current_setting('app.actor', true);
    moment timestamptz := public.moment();
    new record;
    event jsonb;
BEGIN
    SELECT * INTO new FROM jsonb_to_record(p_new) AS n (
        id uuid, source_key text, source_type text, rating text, comment text, context jsonb, origin_actor text,
        origin_artefact text, created_by uuid, session_id uuid, entity_id uuid, agent_id uuid, entity_type text,
        response_id uuid, project text, conversation_id text, turn_id text, end_user text, created_at timestamptz,
        status text, reviewed_at timestamptz, reviewed_by_user_id uuid, review_notes text);
    INSERT INTO public.feedback (
        tenant_id, id, source_key, source_type, rating, comment, context, origin_actor, origin_artefact, created_by,
        session_id, entity_id, agent_id, entity_type, response_id, project, conversation_id, turn_id, end_user,
        created_at, status, reviewed_at, reviewed_by_user_id, review_notes, updated_at, created_by_kind, created_by_id)
    VALUES (
        tenant, new.id, new.source_key, new.source_type, new.rating, new.comment, coalesce(new.context, '{}'),
        new.origin_actor, new.origin_artefact, new.created_by, new.session_id, new.entity_id, new.agent_id,
        new.entity_type, new.response_id, new.project, new.conversation_id, new.turn_id, new.end_user,
        coalesce(new.created_at, moment), coalesce(new.status, 'pending'), new.reviewed_at, new.reviewed_by_user_id,
        new.review_notes, moment, split_part(actor, ':', 1), nullif(split_part(actor, ':', 2), '')::uuid)
    ON CONFLICT DO NOTHING;
    IF FOUND THEN
        event := public.emit_event(p_event, 'feedback.created', 'feedback', new.id::text,
            jsonb_strip_nulls(jsonb_build_object('source_type', new.source_type, 'rating', new.rating,
                'status', coalesce(new.status, 'pending'), 'session_id', new.session_id, 'entity_id', new.entity_id,
                'agent_id', new.agent_id, 'conversation_id', new.conversation_id)));
        PERFORM public.set_marks('feedback.place', ARRAY['workspace'], interval '2 seconds');
    END IF;
    RETURN event;
END;
$$;
CREATE FUNCTION public.take_in_reaction(p_id uuid, p_event uuid, p_rn text, p_replaced text, p_reaction text, p_comment text, p_project text, p_conversation text, p_turn text, p_agent text, p_session text, p_author text, p_by_member boolean, p_origin text) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    actor text := current_setting('app.actor', true);
    actor_id uuid := nullif(split_part(actor, ':', 2), '')::uuid;
    before text := coalesce(current_setting('app.feedback', true), '');
    moment timestamptz := public.moment();
    rate text := CASE p_reaction WHEN 'ok' THEN 'positive' WHEN 'not_ok' THEN 'negative' ELSE 'neutral' END;
    about jsonb := jsonb_build_object('conversation_id', p_conversation, 'turn_id', p_turn, 'rn', p_rn, 'project', p_project,
                                      'origin', p_origin);
    placed timestamptz := CASE WHEN p_comment IS NULL THEN moment END;
    registered uuid;
    ran_in uuid;
    changed uuid;
    grouped uuid;
    earlier uuid;
    given record;
    event jsonb;
BEGIN
    IF p_replaced IS NOT NULL THEN
        EXECUTE 'SET LOCAL app.feedback = ''open''';
        SELECT f.id, f.group_id INTO changed, grouped FROM public.feedback f
        WHERE f.tenant_id = tenant AND f.source_key = 'reaction:' || encode(sha256(convert_to(p_replaced, 'UTF8')), 'hex')
          AND f.status = 'pending'
        FOR NO KEY UPDATE;
    END IF;
    IF p_replaced IS NOT NULL AND changed IS NULL THEN
        SELECT f.id INTO earlier FROM public.feedback f
        WHERE f.tenant_id = tenant AND f.source_key = 'reaction:' || encode(sha256(convert_to(p_replaced, 'UTF8')), 'hex');
    END IF;
    IF changed IS NOT NULL AND p_reaction IS NULL THEN
        UPDATE public.feedback f
        SET status = 'dismissed', reviewed_at = moment, updated_at = moment, review_notes = 'The reaction was taken back',
            reviewed_by_user_id = CASE WHEN actor LIKE 'user:%' THEN actor_id END,
            reviewed_by_agent_id = CASE WHEN actor LIKE 'agent:%' THEN actor_id END
        WHERE f.tenant_id = tenant AND f.id = changed;
        event := public.emit_event(p_event, 'feedback.reviewed', 'feedback', changed::text,
            jsonb_build_object('status', 'dismissed', 'source_type', 'chat', 'cause_ended', true));
    ELSIF changed IS NOT NULL THEN
        UPDATE public.feedback f
        SET rating = rate, comment = p_comment, context = about, updated_at = moment, placed_at = placed, block = NULL, masked = NULL,
            embedding = NULL, embedding_model = NULL, group_id = NULL, near_group_id = NULL, part = NULL, apart = '{}',
            source_key = 'reaction:' || encode(sha256(convert_to(p_rn, 'UTF8')), 'hex')
        WHERE f.tenant_id = tenant AND f.id = changed;
        DELETE FROM public.feedback_words w WHERE w.tenant_id = tenant AND w.feedback_id = changed;
        event := public.emit_event(p_event, 'feedback.changed', 'feedback', changed::text,
            jsonb_build_object('rating', rate, 'source_type', 'chat'));
        IF placed IS NULL THEN
            PERFORM public.set_marks('feedback.place', ARRAY['workspace'], interval '2 seconds');
        END IF;
    ELSIF p_reaction IS NOT NULL THEN
        IF p_agent IS NOT NULL THEN
            SELECT a.id INTO registered FROM public.agents a WHERE a.tenant_id = tenant AND a.slug = p_agent;
        END IF;
        IF p_session IS NOT NULL THEN
            IF pg_input_is_valid(p_session, 'uuid') THEN  -- within a CASE the planner would read what is none
                SELECT s.id INTO ran_in FROM public.sessions s WHERE s.tenant_id = tenant AND s.id = p_session::uuid;
            END IF;
            IF ran_in IS NULL THEN
                SELECT s.id INTO ran_in FROM public.sessions s WHERE s.tenant_id = tenant AND s.external_id = p_session;
            END IF;
        END IF;
        INSERT INTO public.feedback (tenant_id, id, source_type, rating, comment, session_id, agent_id, context, created_by,
            created_at, created_by_kind, created_by_id, end_user, updated_at, source_key, project, conversation_id, turn_id,
            origin_actor, origin_artefact, placed_at)
        VALUES (tenant, p_id, 'chat', rate, p_comment, ran_in, registered,
            CASE WHEN p_agent IS NULL THEN about ELSE about || jsonb_build_object('agent', p_agent) END,
            CASE WHEN p_by_member THEN actor_id END, moment, split_part(actor, ':', 1), actor_id,
            CASE WHEN NOT p_by_member THEN p_author END, moment,
            'reaction:' || encode(sha256(convert_to(p_rn, 'UTF8')), 'hex'), p_project, p_conversation, p_turn,
            CASE WHEN p_by_member THEN 'user:' || p_author WHEN p_author <> '' THEN 'end_user:' || p_author
                 ELSE 'conversation:' || p_project || '/' || p_conversation END,
            'turn:' || p_project || '/' || p_conversation || '/' || p_turn, placed)
        ON CONFLICT DO NOTHING;
        IF FOUND THEN
            IF earlier IS NOT NULL THEN
                UPDATE public.feedback f SET replaced_by = p_id WHERE f.tenant_id = tenant AND f.id = earlier;
            END IF;
            event := public.emit_event(p_event, 'feedback.created', 'feedback', p_id::text,
                jsonb_strip_nulls(jsonb_build_object('source_type', 'chat', 'rating', rate, 'status', 'pending',
                    'session_id', ran_in, 'agent_id', registered, 'conversation_id', p_conversation,
                    'replaces_id', earlier)));
            IF placed IS NULL THEN
                PERFORM public.set_marks('feedback.place', ARRAY['workspace'], interval '2 seconds');
            END IF;
        END IF;
    END IF;
    IF p_reaction IS NULL AND coalesce(changed, earlier) IS NOT NULL THEN
        SELECT f.origin_actor, f.origin_artefact, f.context ->> 'origin' AS origin INTO given
        FROM public.feedback f WHERE f.tenant_id = tenant AND f.id = coalesce(changed, earlier);
        UPDATE public.feedback f SET withdrawn_at = moment
        WHERE f.tenant_id = tenant AND f.origin_actor = given.origin_actor AND f.origin_artefact = given.origin_artefact
          AND f.source_type = 'chat' AND f.context ->> 'origin' = given.origin AND f.withdrawn_at IS NULL;
    END IF;
    IF earlier IS NOT NULL AND p_reaction IS NULL THEN
        event := public.emit_event(p_event, 'feedback.withdrawn', 'feedback', earlier::text,
            jsonb_build_object('source_type', 'chat'));
    END IF;
    IF grouped IS NOT NULL THEN
        PERFORM public.set_marks('feedback.group', ARRAY[grouped::text], interval '0');
    END IF;
    IF p_replaced IS NOT NULL THEN
        EXECUTE format('SET LOCAL app.feedback = %L', before);
    END IF;
    RETURN event;
END;
$$;
CREATE FUNCTION public.take_invite(p_hash bytea) RETURNS TABLE(tenant_id uuid, user_id uuid, email text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
DECLARE
    invited record;
BEGIN
    SELECT m.tenant_id, m.user_id, m.email INTO invited  -- locked before the invitation, as removing a member does
    FROM public.memberships m
    WHERE (m.tenant_id, m.user_id) IN
          (SELECT i.tenant_id, i.user_id FROM public.invites i WHERE i.hash = p_hash AND i.expires_at > now())
      AND m.account_id IS NULL
    FOR UPDATE;
    DELETE FROM public.invites i WHERE i.hash = p_hash;
    IF FOUND AND invited.user_id IS NOT NULL THEN
        RETURN QUERY SELECT invited.tenant_id, invited.user_id, invited.email;
    END IF;
END;
$$;
CREATE FUNCTION public.take_mark(p_kind text, p_after_tenant uuid, p_cap integer) RETURNS TABLE(tenant_id uuid, id uuid, key text, attempts integer)
    LANGUAGE plpgsql
    AS $$
BEGIN
    FOR slot IN 1..p_cap LOOP
        IF pg_try_advisory_xact_lock(hashtext('goldloop mark ' || p_kind), slot) THEN
            RETURN QUERY SELECT p.tenant_id, p.id, p.key, p.attempts FROM public.pick_mark(p_kind, p_after_tenant) p;
            RETURN;
        END IF;
    END LOOP;
END;
$$;
CREATE FUNCTION public.take_marks(p_kind text, p_after_tenant uuid, p_cap integer, p_most integer) RETURNS TABLE(tenant_id uuid, id uuid, key text, attempts integer)
    LANGUAGE plpgsql
    SET enable_sort TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
    first record;
    other record;
    moment timestamptz := clock_timestamp();
    ids uuid[];
    keys text[];
BEGIN
    SELECT t.tenant_id, t.id, t.key, t.attempts INTO first FROM public.take_mark(p_kind, p_after_tenant, p_cap) t;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    RETURN QUERY SELECT first.tenant_id, first.id, first.key, first.attempts;
    IF p_most = 1 OR first.attempts > 0 THEN
        RETURN;
    END IF;
    FOR other IN
        SELECT m.id, m.key FROM public.marks m
        WHERE m.kind = p_kind AND m.tenant_id = first.tenant_id AND m.due_at <= moment AND m.attempts = 0
          AND m.leased_until IS NULL AND m.key <> first.key
        ORDER BY m.due_at LIMIT p_most - 1 FOR UPDATE SKIP LOCKED
    LOOP
        IF other.key = ANY (keys) THEN
            CONTINUE;
        END IF;
        -- One rebuild of a key at a time, also when the key has several rows.
        IF pg_try_advisory_xact_lock(hashtextextended(first.tenant_id || p_kind || other.key, 0)) THEN
            ids := ids || other.id;
            keys := keys || other.key;
            RETURN QUERY SELECT first.tenant_id, other.id, other.key, 0;
        END IF;
    END LOOP;
    DELETE FROM public.marks m USING (
        SELECT o.tenant_id, o.id FROM public.marks o
        WHERE o.tenant_id = first.tenant_id AND o.kind = p_kind AND o.key = ANY (keys) AND o.id <> ALL (ids)
        FOR UPDATE SKIP LOCKED
    ) others
    WHERE m.tenant_id = others.tenant_id AND m.id = others.id;
END;
$$;
CREATE FUNCTION public.take_sign_in_request(p_hash bytea) RETURNS bytea
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
DECLARE
    taken record;
BEGIN
    DELETE FROM public.sign_in_requests r WHERE r.hash = p_hash RETURNING r.content, r.expires_at INTO taken;
    RETURN CASE WHEN taken.expires_at > now() THEN taken.content END;
END;
$$;
CREATE FUNCTION public.tenant_ids(p_after uuid, p_limit integer) RETURNS TABLE(id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO ''
    AS $$
    SELECT t.id FROM public.tenants t WHERE p_after IS NULL OR t.id > p_after ORDER BY t.id LIMIT p_limit
$$;
CREATE FUNCTION public.touch_session(p_hash bytea, p_client text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO ''
    AS $$
    UPDATE public.sign_in_sessions SET last_seen_at = now(), client = left(p_client, 100) WHERE hash = p_hash
$$;
CREATE FUNCTION public.turn_similarities(p_project text, p_conversation text, p_turn text, p_user text, p_since timestamp with time zone, p_model text, p_vector real[], p_most integer) RETURNS TABLE(conversation_id text, turn_id text, ts timestamp with time zone, seq bigint, similarity double precision, said text)
    LANGUAGE plpgsql STABLE
    AS $_$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    product text := CASE WHEN to_regtype('vector') IS NULL
        THEN '(SELECT sum(v.a * v.b) FROM unnest(m.embedding, $7) AS v (a, b))'
        ELSE '-(m.embedding::vector <#> $7::vector)' END;
    answered text := $sql$EXISTS (SELECT FROM public.conv_messages a WHERE a.tenant_id = $1 AND a.project = $2
        AND a.conversation_id = t.conversation_id AND a.turn_id = t.turn_id AND a.role = 'assistant')$sql$;
BEGIN
    RETURN QUERY EXECUTE
    $query$
    WITH source AS (
        SELECT t.ts, t.seq FROM public.conv_turns t
        WHERE t.tenant_id = $1 AND t.project = $2 AND t.conversation_id = $3 AND t.turn_id = $4
    ), candidates AS (
        (SELECT t.conversation_id, t.turn_id, t.ts, t.seq FROM public.conv_turns t, source s
         WHERE t.tenant_id = $1 AND t.project = $2 AND t.conversation_id = $3 AND t.ts >= $6
           AND (t.ts, t.seq) < (s.ts, s.seq) AND $query$ || answered || $query$
         ORDER BY t.ts DESC, t.seq DESC LIMIT $9)
        UNION ALL
        (SELECT t.conversation_id, t.turn_id, t.ts, t.seq FROM public.conv_turns t, source s
         WHERE t.tenant_id = $1 AND t.project = $2 AND t.user_id = $5 AND t.conversation_id <> $3 AND t.ts >= $6
           AND t.ts < s.ts AND $query$ || answered || $query$
         ORDER BY t.ts DESC LIMIT $9)
        UNION ALL  -- turns that name nobody are the user's of their conversation
        (SELECT t.conversation_id, t.turn_id, t.ts, t.seq
         FROM (SELECT c.id FROM public.conversations c
               WHERE c.tenant_id = $1 AND c.user_id = $5 AND c.last_activity_at >= $6 AND c.project = $2 AND c.id <> $3
               ORDER BY c.last_activity_at DESC LIMIT $9) c,
              source s,
              LATERAL (SELECT t.conversation_id, t.turn_id, t.ts, t.seq FROM public.conv_turns t
                       WHERE t.tenant_id = $1 AND t.project = $2 AND t.conversation_id = c.id AND t.ts >= $6 AND t.ts < s.ts
                         AND t.user_id IS NULL AND $query$ || answered || $query$
                       ORDER BY t.ts DESC, t.seq DESC LIMIT $9) t
         ORDER BY t.ts DESC LIMIT $9)
    )
    SELECT c.conversation_id, c.turn_id, c.ts, c.seq,
           coalesce(max($query$ || product || $query$) FILTER (WHERE m.embedding_model = $8), 0)::double precision,
           string_agg(left(m.text, 4000), E'\n' ORDER BY m.role DESC)
    FROM candidates c
    JOIN public.conv_messages m ON m.tenant_id = $1 AND m.project = $2 AND m.conversation_id = c.conversation_id
        AND m.turn_id = c.turn_id AND m.kind = 'message'
    GROUP BY c.conversation_id, c.turn_id, c.ts, c.seq
    $query$
    USING tenant, p_project, p_conversation, p_turn, p_user, p_since,
          p_vector, p_model, p_most;
END;
$_$;
CREATE FUNCTION public.unblock_erased(p_erasures uuid[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    DELETE FROM public.erasure_blocks b WHERE b.tenant_id = tenant AND b.erasure_id = ANY (p_erasures);
END;
$$;
CREATE FUNCTION public.undo_promotion(p_entity uuid, p_promotions jsonb, p_expected_version integer, p_type_version integer, p_content jsonb, p_words_gone text[], p_words_new text[], p_event uuid, OUT outcome text, OUT event jsonb) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    actor text := current_setting('app.actor', true);
    held record;
    undone record;
    before uuid;
    earlier record;
    dimensions jsonb;
    response uuid;
    touched uuid[];
    moment timestamptz;
BEGIN
    SELECT e.version, e.content || '{}' AS content,  -- unpacked here, and not again for every field
           t.version AS type_version, t.slug INTO held
    FROM public.entities e JOIN public.entity_types t ON t.tenant_id = e.tenant_id AND t.id = e.type_id
    WHERE e.tenant_id = tenant AND e.id = p_entity FOR NO KEY UPDATE OF e FOR SHARE OF t;
    IF NOT FOUND THEN
        outcome := 'absent';
        RETURN;
    ELSIF held.version <> p_expected_version OR held.type_version <> p_type_version THEN
        outcome := 'conflict';
        RETURN;
    END IF;
    SELECT jsonb_object_agg(h.field, h.dimension_key), (array_agg(h.response_id))[1] INTO dimensions, response
    FROM jsonb_each_text(p_promotions) p (f, id)
    JOIN public.entity_field_sources s ON s.tenant_id = tenant AND s.entity_id = p_entity AND s.field = p.f AND s.history_id = p.id::uuid
    JOIN public.entity_field_history h ON h.tenant_id = tenant AND h.id = s.history_id AND h.kind = 'promotion';
    IF dimensions IS NULL OR NOT dimensions ?& ARRAY(SELECT jsonb_object_keys(p_promotions)) THEN
        outcome := 'changed_since';
        RETURN;
    END IF;
    moment := public.moment();
    UPDATE public.entities SET content = p_content, version = version + 1, updated_at = moment
    WHERE tenant_id = tenant AND id = p_entity;
    PERFORM public.change_entity_words(p_entity, p_words_gone, p_words_new);
    touched := ARRAY[response];
    FOR undone IN SELECT p.f AS field, p.id::uuid AS id, dimensions ->> p.f AS dimension_key
                  FROM jsonb_each_text(p_promotions) p (f, id) ORDER BY p.f LOOP
        INSERT INTO public.entity_field_history (tenant_id, id, entity_id, field, kind, value, value_before, response_id,
            dimension_key, undoes_id, prior_source_id, entity_version, actor_kind, actor_id, created_at)
        VALUES (tenant, gen_random_uuid(), p_entity, undone.field, 'undo', p_content -> undone.field,
            held.content -> undone.field, NULL, NULL, undone.id, undone.id, held.version + 1,
            split_part(actor, ':', 1), nullif(split_part(actor, ':', 2), '')::uuid, moment);
        -- The field leaves the promoted fields of the response that is undone, and is among those of the one that is its
        -- source again, which may have left them by an undo of its own.
        UPDATE public.entity_responses SET promoted_fields = array_remove(promoted_fields, undone.dimension_key)
        WHERE tenant_id = tenant AND id = response;
        SELECT b.history_id INTO before FROM public.source_before(p_entity, undone.field, undone.id) b;
        IF before IS NULL THEN
            DELETE FROM public.entity_field_sources WHERE tenant_id = tenant AND entity_id = p_entity AND field = undone.field;
        ELSE
            UPDATE public.entity_field_sources SET history_id = before
            WHERE tenant_id = tenant AND entity_id = p_entity AND field = undone.field;
            SELECT h.response_id, h.dimension_key INTO earlier FROM public.entity_field_history h
            WHERE h.tenant_id = tenant AND h.id = before;
            UPDATE public.entity_responses SET promoted_fields = array_append(promoted_fields, earlier.dimension_key)
            WHERE tenant_id = tenant AND id = earlier.response_id AND earlier.dimension_key <> ALL (promoted_fields);
            touched := array_append(touched, earlier.response_id);
        END IF;
    END LOOP;
    PERFORM public.refresh_response_status(touched);
    event := public.emit_event(p_event, 'response.promotion_undone', 'entities', response::text,
        jsonb_build_object('entity_id', p_entity, 'response_id', response, 'fields', dimensions, 'version', held.version + 1,
            'type', held.slug));
    outcome := 'undone';
END;
$$;
CREATE FUNCTION public.unlink_identity(p_session bytea, p_id uuid) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
DECLARE
    account uuid := (SELECT s.user_id FROM public.sign_in_sessions s WHERE s.hash = p_session AND s.expires_at > now());
    has_other boolean;
BEGIN
    SELECT u.password_hash IS NOT NULL
           OR EXISTS (SELECT FROM public.identities i WHERE i.account_id = account AND i.id <> p_id)
    INTO has_other FROM public.users u WHERE u.id = account FOR UPDATE;
    IF NOT EXISTS (SELECT FROM public.identities i WHERE i.account_id = account AND i.id = p_id) THEN
        RETURN NULL;
    END IF;
    IF has_other THEN
        DELETE FROM public.identities WHERE id = p_id AND account_id = account;
    END IF;
    RETURN has_other;
END;
$$;
CREATE FUNCTION public.unlink_otel_body(p_batch bytea, p_traces bytea[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    DELETE FROM public.otel_trace_batches t WHERE t.tenant_id = tenant AND t.batch_id = p_batch AND t.trace_id = ANY (p_traces);
END;
$$;
CREATE FUNCTION public.unsettle_reaction(p_id uuid, p_rn text, p_text text, p_payload jsonb, p_copy uuid, p_event uuid, p_feedback_event uuid, OUT outcome text, OUT event jsonb, OUT feedback jsonb) RETURNS record
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION public.use_code(p_account uuid, p_step bigint) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
BEGIN
    UPDATE public.second_factors SET last_step = p_step, confirmed_at = coalesce(confirmed_at, now())
    WHERE account_id = p_account AND last_step < p_step;
    RETURN FOUND;
END;
$$;
CREATE FUNCTION public.use_identity(p_issuer text, p_subject text, p_provider text, p_email text) RETURNS uuid
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO ''
    AS $$
    UPDATE public.identities SET provider = p_provider, email = p_email, last_used_at = now()
    WHERE issuer = p_issuer AND subject = p_subject RETURNING account_id
$$;
CREATE FUNCTION public.use_invite(p_hash bytea, p_password_hash text, p_name text, p_seen text[]) RETURNS TABLE(account_id uuid, slug text, tenant_id uuid, user_id uuid)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
DECLARE
    address text := public.invite_address(p_hash);
    used record;
BEGIN
    IF address IS NOT NULL AND public.lock_accounts(address) <> p_seen THEN
        RETURN NEXT;
        RETURN;
    END IF;
    SELECT t.tenant_id, t.user_id, t.email INTO used FROM public.take_invite(p_hash) t;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    account_id := public.ensure_account(used.tenant_id, used.user_id, used.email, p_password_hash, p_name);
    slug := public.join_workspace(used.tenant_id, used.user_id, account_id);
    tenant_id := used.tenant_id;
    user_id := used.user_id;
    RETURN NEXT;
END;
$$;
CREATE FUNCTION public.use_recovery_code(p_account uuid, p_hash bytea) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
BEGIN
    DELETE FROM public.recovery_codes WHERE account_id = p_account AND hash = p_hash;
    RETURN FOUND;
END;
$$;
CREATE FUNCTION public.use_reset(p_hash bytea, p_password_hash text, p_new uuid, p_seen text[]) RETURNS TABLE(account_id uuid)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO ''
    AS $$
DECLARE
    link record;
    member record;
    address text := (SELECT f.email FROM public.find_reset(p_hash) f);
BEGIN
    IF address IS NULL THEN
        RETURN;
    END IF;
    IF public.lock_accounts(address) <> p_seen THEN
        RETURN NEXT;
        RETURN;
    END IF;
    SELECT r.tenant_id, r.user_id, r.account_id, r.drops_factor INTO link
    FROM public.password_resets r WHERE r.hash = p_hash FOR UPDATE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    account_id := link.account_id;
    IF account_id IS NULL THEN
        SELECT m.account_id, m.email INTO member FROM public.memberships m
        WHERE m.tenant_id = link.tenant_id AND m.user_id = link.user_id FOR UPDATE;
        account_id := member.account_id;
        IF EXISTS (SELECT FROM public.memberships m
                   WHERE m.account_id = member.account_id AND m.tenant_id <> link.tenant_id) THEN
            account_id := public.ensure_account(
                link.tenant_id, p_new, address, p_password_hash,
                (SELECT u.name FROM public.users u WHERE u.id = member.account_id));
            UPDATE public.memberships m SET account_id = use_reset.account_id, signed_in_after = NULL
            WHERE m.tenant_id = link.tenant_id AND m.user_id = link.user_id;
            DELETE FROM public.password_resets WHERE hash = p_hash;
            PERFORM pg_notify('goldloop_auth', '');
            RETURN NEXT;
            RETURN;
        END IF;
        DELETE FROM public.identities i WHERE i.account_id = member.account_id;
    END IF;
    PERFORM public.set_password(account_id, p_password_hash, p_seen);
    IF link.drops_factor THEN
        DELETE FROM public.second_factors f WHERE f.account_id = use_reset.account_id;
    END IF;
    DELETE FROM public.sign_in_sessions WHERE user_id = account_id;
    DELETE FROM public.password_resets WHERE hash = p_hash;
    RETURN NEXT;
END;
$$;
CREATE FUNCTION public.walk_chain(p_from text, p_forward boolean, p_depth integer, p_limit integer, p_kinds text[], p_people boolean, p_claim_type text, p_claim_field text, p_doubts boolean, OUT refs text[], OUT depths integer[], OUT came text[], OUT led text[], OUT relations text[], OUT cut text[], OUT unused_of text[], OUT unused integer[]) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
    before text := coalesce(current_setting('app.feedback', true), '');
    now_refs text[] := ARRAY[p_from];
    now_vias text[] := ARRAY[''];
    seen_refs text[] := ARRAY[p_from];
    seen_vias text[] := ARRAY[''];
    found_from text[];
    found_to text[];
    found_relation text[];
    found_via text[];
    fresh text[];
    kinds text[];  -- that were found: nothing else can be there already
    level integer := 0;
    room integer;
    fan integer;  -- of one node: with few of them as much as the whole may have, with many so much that a level stays bounded
BEGIN
    EXECUTE 'SET LOCAL app.feedback = ''open''';
    refs := ARRAY[p_from];
    depths := ARRAY[0];
    came := '{}';
    led := '{}';
    relations := '{}';
    cut := '{}';
    unused_of := '{}';
    unused := '{}';
    LOOP
        SELECT coalesce(array_agg(f.r), '{}'), coalesce(array_agg(f.v), '{}') INTO now_refs, now_vias
        FROM unnest(now_refs, now_vias) f (r, v) WHERE split_part(f.r, ':', 1) = ANY (p_kinds);
        EXIT WHEN now_refs = '{}';
        fan := least(p_limit, greatest(50, 20 * least(p_limit, 5000) / cardinality(now_refs))) + 1;
        IF p_forward THEN
            SELECT coalesce(array_agg(x.parent), '{}'), coalesce(array_agg(x.ref), '{}'), coalesce(array_agg(x.relation), '{}'),
                   coalesce(array_agg(x.via), '{}')
            INTO found_from, found_to, found_relation, found_via
            FROM public.chain_forward(now_refs, now_vias, fan, p_people, p_claim_type, p_claim_field, p_doubts) x;
        ELSE
            SELECT coalesce(array_agg(x.parent), '{}'), coalesce(array_agg(x.ref), '{}'), coalesce(array_agg(x.relation), '{}'),
                   coalesce(array_agg(x.via), '{}')
            INTO found_from, found_to, found_relation, found_via
            FROM public.chain_back(now_refs, now_vias, fan, p_people, p_claim_type, p_claim_field) x;
        END IF;
        IF p_forward AND '' = ANY (found_to) THEN
            SELECT unused_of || coalesce(array_agg(f.a) FILTER (WHERE f.c = 'unused'), '{}'),
                   unused || coalesce(array_agg(f.d::integer) FILTER (WHERE f.c = 'unused'), '{}'),
                   cut || coalesce(array_agg(f.a) FILTER (WHERE f.c = 'cut'), '{}')
            INTO unused_of, unused, cut
            FROM unnest(found_from, found_to, found_relation, found_via) f (a, b, c, d) WHERE f.b = '';
            SELECT coalesce(array_agg(f.a), '{}'), coalesce(array_agg(f.b), '{}'), coalesce(array_agg(f.c), '{}'), coalesce(array_agg(f.d), '{}')
            INTO found_from, found_to, found_relation, found_via
            FROM unnest(found_from, found_to, found_relation, found_via) f (a, b, c, d) WHERE f.b <> '';
        END IF;
        EXIT WHEN found_to = '{}';
        level := level + 1;
        cut := cut || ARRAY(SELECT f.a FROM unnest(found_from, found_relation) f (a, c) GROUP BY f.a, f.c HAVING count(*) >= fan);
        kinds := ARRAY(SELECT DISTINCT split_part(f.r, ':', 1) FROM unnest(found_to) f (r));
        fresh := ARRAY(
            SELECT x.r FROM (
                SELECT f.r FROM unnest(found_to) f (r)
                EXCEPT SELECT s.r FROM unnest(refs) s (r) WHERE split_part(s.r, ':', 1) = ANY (kinds)
            ) x ORDER BY x.r DESC);
        room := p_limit - cardinality(refs);
        IF level > p_depth OR cardinality(fresh) > room THEN
            -- A level that does not fit leaves room for what rests on it. What people look at again comes first, and of each kind the
            -- newest: ids are in the order of time.
            fresh := CASE WHEN level > p_depth THEN '{}'::text[] ELSE ARRAY(
                SELECT f.r FROM unnest(fresh) f (r)
                ORDER BY array_position(ARRAY['field', 'claim', 'golden', 'knowledge', 'response', 'session'], split_part(f.r, ':', 1)), f.r DESC
                LIMIT (room + 2) / 3) END;
            cut := cut || ARRAY(
                SELECT DISTINCT f.a FROM unnest(found_from, found_to) f (a, b)
                WHERE f.b NOT IN (SELECT s.r FROM unnest(refs || fresh) s (r)));
            SELECT coalesce(array_agg(f.a), '{}'), coalesce(array_agg(f.b), '{}'), coalesce(array_agg(f.c), '{}'), coalesce(array_agg(f.d), '{}')
            INTO found_from, found_to, found_relation, found_via
            FROM unnest(found_from, found_to, found_relation, found_via) f (a, b, c, d)
            WHERE f.b IN (SELECT s.r FROM unnest(refs || fresh) s (r));
        END IF;
        refs := refs || fresh;
        depths := depths || array_fill(level, ARRAY[cardinality(fresh)]);
        came := came || found_from;
        led := led || found_to;
        relations := relations || found_relation;
        EXIT WHEN level > p_depth;
        SELECT coalesce(array_agg(x.r), '{}'), coalesce(array_agg(x.v), '{}') INTO now_refs, now_vias
        FROM (
            SELECT f.r, f.v FROM unnest(found_to, found_via) f (r, v)
            EXCEPT SELECT s.r, s.v FROM unnest(seen_refs, seen_vias) s (r, v) WHERE split_part(s.r, ':', 1) = ANY (kinds)
        ) x;
        seen_refs := seen_refs || now_refs;
        seen_vias := seen_vias || now_vias;
    END LOOP;
    EXECUTE format('SET LOCAL app.feedback = %L', before);
END;
$$;
CREATE FUNCTION public.watch_tenant(p_watcher uuid, p_for interval) RETURNS void
    LANGUAGE sql
    AS $$
    DELETE FROM public.live_watchers
    WHERE tenant_id = nullif(current_setting('app.tenant', true), '')::uuid AND until < now() - interval '1 minute';
    INSERT INTO public.live_watchers (tenant_id, watcher, until)
    VALUES (nullif(current_setting('app.tenant', true), '')::uuid, p_watcher, now() + p_for)
    ON CONFLICT (tenant_id, watcher) DO UPDATE SET until = excluded.until
$$;
CREATE FUNCTION public.withdraw_feedback(p_response uuid, p_sources text[]) RETURNS TABLE(id uuid, source_type text, group_id uuid)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    before text := coalesce(current_setting('app.feedback', true), '');
    moment timestamptz := public.moment();
BEGIN
    EXECUTE 'SET LOCAL app.feedback = ''open''';
    RETURN QUERY SELECT f.id, f.source_type, f.group_id FROM public.feedback f
    WHERE f.tenant_id = tenant AND f.response_id = p_response AND f.source_type = ANY (p_sources)
      AND f.status <> 'pending' AND f.withdrawn_at IS NULL
    ORDER BY f.id FOR NO KEY UPDATE;
    UPDATE public.feedback f SET withdrawn_at = moment
    WHERE f.tenant_id = tenant AND f.response_id = p_response AND f.source_type = ANY (p_sources) AND f.withdrawn_at IS NULL;
    EXECUTE format('SET LOCAL app.feedback = %L', before);
END;
$$;
CREATE FUNCTION public.withdraw_response(p_response uuid) RETURNS text
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    gone record;
    moment timestamptz;
BEGIN
    PERFORM FROM public.entities e  -- the record first, as promotion does: two never wait for each other
    WHERE e.tenant_id = tenant
      AND e.id = (SELECT r.entity_id FROM public.entity_responses r WHERE r.tenant_id = tenant AND r.id = p_response)
    FOR NO KEY UPDATE;
    SELECT r.entity_id, r.promoted_fields, r.withdrawn_at INTO gone
    FROM public.entity_responses r WHERE r.tenant_id = tenant AND r.id = p_response FOR NO KEY UPDATE;
    IF gone.promoted_fields <> '{}' THEN
        RETURN 'promoted';
    END IF;
    IF gone.withdrawn_at IS NOT NULL THEN
        RETURN 'already';
    END IF;
    moment := public.moment();
    UPDATE public.entity_responses SET withdrawn_at = moment WHERE tenant_id = tenant AND id = p_response;
    PERFORM public.refresh_response_summary(gone.entity_id, p_response);
    RETURN 'withdrawn';
END;
$$;
CREATE FUNCTION public.without_text(p_value jsonb, p_instead text) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE
    AS $_$
BEGIN
    CASE jsonb_typeof(p_value)
        WHEN 'object' THEN
            RETURN coalesce((SELECT jsonb_object_agg(v.key, CASE WHEN v.key IN ('id', 'name', 'type', 'model', 'role', 'status', 'code')
                AND jsonb_typeof(v.value) = 'string' THEN v.value ELSE public.without_text(v.value, p_instead) END)
                FROM jsonb_each(p_value) AS v (key, value)), '{}');
        WHEN 'array' THEN
            RETURN coalesce((SELECT jsonb_agg(public.without_text(v.value, p_instead) ORDER BY v.place)
                FROM jsonb_array_elements(p_value) WITH ORDINALITY AS v (value, place)), '[]');
        WHEN 'string' THEN
            RETURN CASE WHEN p_value #>> '{}' ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' THEN p_value
                        ELSE to_jsonb(p_instead) END;
        ELSE
            RETURN p_value;
    END CASE;
END;
$_$;
CREATE FUNCTION public.write_edge_scores(p_source uuid, p_set uuid, p_field text, p_scores jsonb) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    changed integer;
    unranked integer;
    ranked integer;
BEGIN
    UPDATE public.entity_relations r
    SET metadata = CASE
        WHEN w.scores IS NOT NULL THEN jsonb_set(
            CASE WHEN jsonb_typeof(r.metadata -> 'scores') = 'object' THEN r.metadata
                 ELSE r.metadata || '{"scores": {}}' END, ARRAY['scores', p_set::text], w.scores)
        WHEN (r.metadata -> 'scores') - p_set::text = '{}' THEN r.metadata - 'scores'
        ELSE r.metadata #- ARRAY['scores', p_set::text] END
    FROM (SELECT o.id, p_scores -> o.target_id::text AS scores FROM public.entity_relations o
          WHERE o.tenant_id = tenant AND o.source_id = p_source AND o.field_key = p_field) w
    WHERE r.tenant_id = tenant AND r.id = w.id
      AND (r.metadata #> ARRAY['scores', p_set::text]) IS DISTINCT FROM w.scores;
    GET DIAGNOSTICS changed = ROW_COUNT;
    DELETE FROM public.relation_scores s
    WHERE s.tenant_id = tenant AND s.source_id = p_source AND s.criteria_set_id = p_set AND s.field_key = p_field AND NOT EXISTS (
        SELECT FROM public.entity_relations r
        WHERE r.tenant_id = tenant AND r.id = s.relation_id AND r.field_key = p_field
          AND p_scores -> r.target_id::text -> 'score' <> 'null');
    GET DIAGNOSTICS unranked = ROW_COUNT;
    INSERT INTO public.relation_scores AS s (tenant_id, relation_id, criteria_set_id, source_id, field_key, score)
    SELECT tenant, r.id, p_set, p_source, p_field, (p_scores -> r.target_id::text ->> 'score')::double precision
    FROM public.entity_relations r
    WHERE r.tenant_id = tenant AND r.source_id = p_source AND r.field_key = p_field
      AND p_scores -> r.target_id::text -> 'score' <> 'null'
    ON CONFLICT (tenant_id, relation_id, criteria_set_id) DO UPDATE
    SET score = excluded.score, source_id = excluded.source_id, field_key = excluded.field_key
    WHERE (s.score, s.source_id, s.field_key) IS DISTINCT FROM (excluded.score, excluded.source_id, excluded.field_key);
    GET DIAGNOSTICS ranked = ROW_COUNT;
    RETURN greatest(changed, unranked, ranked);
END;
$$;
CREATE TABLE public.agent_secrets (
    tenant_id uuid NOT NULL,
    agent_id uuid NOT NULL,
    name text NOT NULL,
    sealed bytea NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_by_kind text NOT NULL,
    updated_by_id uuid,
    CONSTRAINT agent_secrets_name_check CHECK ((name = ANY (ARRAY['model_key'::text, 'http_secret'::text]))),
    CONSTRAINT agent_secrets_updated_by_kind_check CHECK ((updated_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text])))
);
ALTER TABLE ONLY public.agent_secrets FORCE ROW LEVEL SECURITY;
CREATE TABLE public.agent_versions (
    tenant_id uuid NOT NULL,
    agent_id uuid NOT NULL,
    version integer NOT NULL,
    config jsonb NOT NULL,
    note text DEFAULT ''::text NOT NULL,
    restored_from integer,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    created_by_kind text NOT NULL,
    created_by_id uuid,
    CONSTRAINT agent_versions_config_check CHECK ((jsonb_typeof(config) = 'object'::text)),
    CONSTRAINT agent_versions_created_by_kind_check CHECK ((created_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text]))),
    CONSTRAINT agent_versions_note_check CHECK ((length(note) <= 2000)),
    CONSTRAINT agent_versions_version_check CHECK ((version >= 1))
);
ALTER TABLE ONLY public.agent_versions FORCE ROW LEVEL SECURITY;
CREATE TABLE public.agents (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    active boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    created_by_kind text NOT NULL,
    created_by_id uuid,
    is_system boolean DEFAULT false NOT NULL,
    CONSTRAINT agents_created_by_kind_check CHECK ((created_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text]))),
    CONSTRAINT agents_description_check CHECK ((length(description) <= 2000)),
    CONSTRAINT agents_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
    CONSTRAINT agents_slug_check CHECK ((slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text))
);
ALTER TABLE ONLY public.agents FORCE ROW LEVEL SECURITY;
CREATE TABLE public.api_key_hashes (
    hash bytea NOT NULL,
    tenant_id uuid NOT NULL,
    key_id uuid NOT NULL
);
CREATE TABLE public.archives (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    attempt uuid,
    size bigint,
    manifest jsonb,
    expires_at timestamp with time zone,
    removed_at timestamp with time zone
);
ALTER TABLE ONLY public.archives FORCE ROW LEVEL SECURITY;
CREATE TABLE public.artifact_eval_failures (
    tenant_id uuid NOT NULL,
    run_id uuid NOT NULL,
    entity_id uuid NOT NULL,
    dimension text NOT NULL,
    urgency double precision NOT NULL
);
ALTER TABLE ONLY public.artifact_eval_failures FORCE ROW LEVEL SECURITY;
CREATE TABLE public.artifact_eval_results (
    tenant_id uuid NOT NULL,
    run_id uuid NOT NULL,
    entity_id uuid NOT NULL,
    overall double precision,
    urgency double precision NOT NULL,
    scores jsonb NOT NULL,
    gaps jsonb NOT NULL
);
ALTER TABLE ONLY public.artifact_eval_results FORCE ROW LEVEL SECURITY;
CREATE TABLE public.artifact_eval_runs (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    entity_type text NOT NULL,
    rubric_version text NOT NULL,
    passed integer DEFAULT 0 NOT NULL,
    summary jsonb NOT NULL,
    results_kept boolean DEFAULT true NOT NULL
);
ALTER TABLE ONLY public.artifact_eval_runs FORCE ROW LEVEL SECURITY;
CREATE TABLE public.chain_items (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    retraction_id uuid NOT NULL,
    ref text NOT NULL,
    kind text NOT NULL,
    depth integer NOT NULL,
    waits boolean NOT NULL,
    verdict text,
    note text,
    created_at timestamp with time zone NOT NULL,
    settled_at timestamp with time zone,
    settled_by_kind text,
    settled_by_id uuid,
    CONSTRAINT chain_items_check CHECK (((verdict IS NULL) = (settled_at IS NULL))),
    CONSTRAINT chain_items_kind_check CHECK ((kind = ANY (ARRAY['field'::text, 'claim'::text, 'response'::text, 'knowledge'::text, 'golden'::text]))),
    CONSTRAINT chain_items_note_check CHECK ((length(note) <= 2000)),
    CONSTRAINT chain_items_settled_by_kind_check CHECK ((settled_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text]))),
    CONSTRAINT chain_items_verdict_check CHECK ((verdict = ANY (ARRAY['kept'::text, 'changed'::text, 'removed'::text])))
);
ALTER TABLE ONLY public.chain_items FORCE ROW LEVEL SECURITY;
CREATE TABLE public.chain_retractions (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    ref text NOT NULL,
    kind text NOT NULL,
    reason text NOT NULL,
    truncated boolean NOT NULL,
    items integer DEFAULT 0 NOT NULL,
    open_items integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    created_by_kind text NOT NULL,
    created_by_id uuid,
    undone_at timestamp with time zone,
    undone_by_kind text,
    undone_by_id uuid,
    CONSTRAINT chain_retractions_created_by_kind_check CHECK ((created_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text]))),
    CONSTRAINT chain_retractions_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 2000))),
    CONSTRAINT chain_retractions_ref_check CHECK ((length(ref) <= 600)),
    CONSTRAINT chain_retractions_undone_by_kind_check CHECK ((undone_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text])))
);
ALTER TABLE ONLY public.chain_retractions FORCE ROW LEVEL SECURITY;
CREATE TABLE public.conv_messages (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    project text NOT NULL,
    conversation_id text NOT NULL,
    turn_id text,
    role text NOT NULL,
    kind text NOT NULL,
    tags text[] NOT NULL,
    text text NOT NULL,
    ts timestamp with time zone NOT NULL,
    embedding real[],
    embedding_model text,
    embedding_dims integer,
    hosted_uri text,
    payload jsonb,
    origin text,
    reaction text,
    confidence double precision,
    end_user text,
    agent text,
    state text,
    counted_from timestamp with time zone,
    counted_until timestamp with time zone,
    source_conversation_id text,
    source_turn_id text,
    created_by_kind text,
    created_by_id uuid,
    by_member boolean DEFAULT false NOT NULL,
    CONSTRAINT conv_messages_check CHECK (((kind = 'turn.log.reaction'::text) = (state IS NOT NULL))),
    CONSTRAINT conv_messages_check1 CHECK (((turn_id IS NOT NULL) OR (state = ANY (ARRAY['unsettled'::text, 'dismissed'::text])))),
    CONSTRAINT conv_messages_confidence_check CHECK (((confidence >= (0)::double precision) AND (confidence <= (1)::double precision))),
    CONSTRAINT conv_messages_kind_check CHECK ((kind = ANY (ARRAY['message'::text, 'turn.log'::text, 'turn.log.reaction'::text]))),
    CONSTRAINT conv_messages_origin_check CHECK ((origin = ANY (ARRAY['user'::text, 'machine'::text]))),
    CONSTRAINT conv_messages_reaction_check CHECK ((reaction = ANY (ARRAY['ok'::text, 'not_ok'::text, 'neutral'::text]))),
    CONSTRAINT conv_messages_role_check CHECK ((role = ANY (ARRAY['user'::text, 'assistant'::text, 'artifact'::text]))),
    CONSTRAINT conv_messages_state_check CHECK ((state = ANY (ARRAY['active'::text, 'replaced'::text, 'cleared'::text, 'unsettled'::text, 'dismissed'::text])))
);
ALTER TABLE ONLY public.conv_messages FORCE ROW LEVEL SECURITY;
CREATE TABLE public.conv_turns (
    tenant_id uuid NOT NULL,
    project text NOT NULL,
    conversation_id text NOT NULL,
    turn_id text NOT NULL,
    seq bigint NOT NULL,
    ts timestamp with time zone NOT NULL,
    user_id text,
    agent text,
    session_id text,
    bundle_id text,
    track_id text,
    digest bytea NOT NULL,
    turn_log jsonb,
    created_by_kind text NOT NULL,
    created_by_id uuid,
    agent_id uuid,
    CONSTRAINT conv_turns_created_by_kind_check CHECK ((created_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text]))),
    CONSTRAINT conv_turns_turn_id_check CHECK (((length(turn_id) >= 1) AND (length(turn_id) <= 200)))
);
ALTER TABLE ONLY public.conv_turns FORCE ROW LEVEL SECURITY;
ALTER TABLE public.conv_turns ALTER COLUMN seq ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.conv_turns_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.conversation_words (
    tenant_id uuid NOT NULL,
    project text NOT NULL,
    conversation_id text NOT NULL,
    word text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE ONLY public.conversation_words FORCE ROW LEVEL SECURITY;
CREATE TABLE public.conversations (
    tenant_id uuid NOT NULL,
    project text NOT NULL,
    id text NOT NULL,
    user_id text,
    agent text,
    title text NOT NULL,
    turns integer NOT NULL,
    started_at timestamp with time zone NOT NULL,
    last_activity_at timestamp with time zone NOT NULL,
    agent_id uuid,
    erasing uuid,
    CONSTRAINT conversations_id_check CHECK (((length(id) >= 1) AND (length(id) <= 200))),
    CONSTRAINT conversations_project_check CHECK (((length(project) >= 1) AND (length(project) <= 200)))
);
ALTER TABLE ONLY public.conversations FORCE ROW LEVEL SECURITY;
CREATE TABLE public.criteria_sets (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    kind text NOT NULL,
    dimensions jsonb NOT NULL,
    entity_type_slugs text[],
    is_default boolean DEFAULT false NOT NULL,
    temporal_key text,
    display_type text,
    display_config jsonb,
    scope jsonb,
    version integer DEFAULT 1 NOT NULL,
    entity_type_version integer,
    archived_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    created_by_kind text NOT NULL,
    created_by_id uuid,
    CONSTRAINT criteria_sets_created_by_kind_check CHECK ((created_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text]))),
    CONSTRAINT criteria_sets_kind_check CHECK ((kind = ANY (ARRAY['record'::text, 'assessment'::text, 'temporal'::text]))),
    CONSTRAINT criteria_sets_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
    CONSTRAINT criteria_sets_slug_check CHECK ((slug ~ '^[a-z0-9][a-z0-9_-]{0,119}$'::text))
);
ALTER TABLE ONLY public.criteria_sets FORCE ROW LEVEL SECURITY;
CREATE TABLE public.entities (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    type_id uuid NOT NULL,
    title text NOT NULL COLLATE pg_catalog."C",
    content jsonb DEFAULT '{}'::jsonb NOT NULL,
    metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    created_by_kind text NOT NULL,
    created_by_id uuid,
    score double precision GENERATED ALWAYS AS (
CASE
    WHEN (COALESCE(jsonb_typeof((metadata -> 'response_summary'::text)), 'null'::text) <> 'null'::text) THEN
    CASE
        WHEN ((jsonb_typeof((metadata #> '{response_summary,latest_score}'::text[])) = 'number'::text) AND ((((metadata #> '{response_summary,latest_score}'::text[]))::numeric >= (0)::numeric) AND (((metadata #> '{response_summary,latest_score}'::text[]))::numeric <= (100)::numeric))) THEN (round(((metadata #> '{response_summary,latest_score}'::text[]))::numeric, 2))::double precision
        ELSE NULL::double precision
    END
    WHEN ((jsonb_typeof((metadata -> 'weighted_score'::text)) = 'number'::text) AND ((((metadata -> 'weighted_score'::text))::numeric >= (1)::numeric) AND (((metadata -> 'weighted_score'::text))::numeric <= (10)::numeric))) THEN (round((((((metadata -> 'weighted_score'::text))::numeric - (1)::numeric) / (9)::numeric) * (100)::numeric), 2))::double precision
    ELSE NULL::double precision
END) STORED,
    erasing uuid,
    CONSTRAINT entities_created_by_kind_check CHECK ((created_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text]))),
    CONSTRAINT entities_title_check CHECK (((length(title) >= 1) AND (length(title) <= 500)))
);
ALTER TABLE ONLY public.entities FORCE ROW LEVEL SECURITY;
CREATE TABLE public.entity_field_history (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    entity_id uuid NOT NULL,
    field text NOT NULL,
    kind text NOT NULL,
    value jsonb,
    value_before jsonb,
    response_id uuid,
    dimension_key text,
    undoes_id uuid,
    prior_source_id uuid,
    entity_version integer NOT NULL,
    actor_kind text NOT NULL,
    actor_id uuid,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT entity_field_history_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text]))),
    CONSTRAINT entity_field_history_kind_check CHECK ((kind = ANY (ARRAY['edit'::text, 'promotion'::text, 'undo'::text, 'aggregate'::text])))
);
ALTER TABLE ONLY public.entity_field_history FORCE ROW LEVEL SECURITY;
CREATE TABLE public.entity_field_sources (
    tenant_id uuid NOT NULL,
    entity_id uuid NOT NULL,
    field text NOT NULL,
    history_id uuid NOT NULL
);
ALTER TABLE ONLY public.entity_field_sources FORCE ROW LEVEL SECURITY;
CREATE TABLE public.entity_relations (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    source_id uuid NOT NULL,
    field_key text NOT NULL,
    target_id uuid NOT NULL,
    metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    created_by_kind text NOT NULL,
    created_by_id uuid,
    CONSTRAINT entity_relations_created_by_kind_check CHECK ((created_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text])))
);
ALTER TABLE ONLY public.entity_relations FORCE ROW LEVEL SECURITY;
CREATE TABLE public.entity_responses (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    entity_id uuid NOT NULL,
    criteria_set_id uuid NOT NULL,
    criteria_snapshot jsonb NOT NULL,
    submitted_by_user uuid,
    submitted_by_agent uuid,
    source text NOT NULL,
    "values" jsonb NOT NULL,
    field_meta jsonb DEFAULT '{}'::jsonb NOT NULL,
    weighted_score double precision,
    normalized_score double precision,
    status text DEFAULT 'submitted'::text NOT NULL,
    promotable_fields text[] NOT NULL,
    promoted_fields text[] DEFAULT '{}'::text[] NOT NULL,
    reviewed_by uuid,
    reviewed_by_kind text,
    reviewed_at timestamp with time zone,
    review_notes text,
    parent_response_id uuid,
    temporal_value text,
    notes text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    withdrawn_at timestamp with time zone,
    scope jsonb,
    type_id uuid NOT NULL,
    assigned_to uuid,
    waits boolean GENERATED ALWAYS AS (((withdrawn_at IS NULL) AND (status = ANY (ARRAY['submitted'::text, 'partially_promoted'::text])) AND (NOT (promotable_fields <@ promoted_fields)))) STORED NOT NULL,
    CONSTRAINT entity_responses_reviewed_by_kind_check CHECK ((reviewed_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text]))),
    CONSTRAINT entity_responses_source_check CHECK ((source = ANY (ARRAY['extraction'::text, 'manual'::text, 'workshop'::text, 'optimization'::text, 'feedback'::text]))),
    CONSTRAINT entity_responses_status_check CHECK ((status = ANY (ARRAY['submitted'::text, 'partially_promoted'::text, 'promoted'::text, 'superseded'::text, 'rejected'::text])))
);
ALTER TABLE ONLY public.entity_responses FORCE ROW LEVEL SECURITY;
CREATE TABLE public.entity_types (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    json_schema json NOT NULL,
    field_configs json DEFAULT '{}'::json NOT NULL,
    config jsonb DEFAULT '{}'::jsonb NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    created_by_kind text NOT NULL,
    created_by_id uuid,
    CONSTRAINT entity_types_created_by_kind_check CHECK ((created_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text]))),
    CONSTRAINT entity_types_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
    CONSTRAINT entity_types_slug_check CHECK ((slug ~ '^[a-z0-9][a-z0-9_-]{0,62}$'::text))
);
ALTER TABLE ONLY public.entity_types FORCE ROW LEVEL SECURITY;
CREATE TABLE public.entity_words (
    tenant_id uuid NOT NULL,
    word text NOT NULL COLLATE pg_catalog."C",
    entity_id uuid NOT NULL
);
ALTER TABLE ONLY public.entity_words FORCE ROW LEVEL SECURITY;
CREATE TABLE public.erased_workspaces (
    workspace_id uuid NOT NULL,
    slug text NOT NULL,
    gone jsonb NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone NOT NULL
);
CREATE TABLE public.erasure_blocks (
    tenant_id uuid NOT NULL,
    kind text NOT NULL,
    key text NOT NULL,
    erasure_id uuid NOT NULL,
    CONSTRAINT erasure_blocks_kind_check CHECK ((kind = ANY (ARRAY['conversation'::text, 'session'::text, 'end_user'::text])))
);
ALTER TABLE ONLY public.erasure_blocks FORCE ROW LEVEL SECURITY;
CREATE TABLE public.erasure_items (
    tenant_id uuid NOT NULL,
    erasure_id uuid NOT NULL,
    kind text NOT NULL,
    place text[] NOT NULL,
    done boolean DEFAULT false NOT NULL
);
ALTER TABLE ONLY public.erasure_items FORCE ROW LEVEL SECURITY;
CREATE TABLE public.erasures (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    subject text[],
    fingerprint text NOT NULL,
    gone jsonb DEFAULT '{}'::jsonb NOT NULL,
    kept jsonb DEFAULT '[]'::jsonb NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT erasures_gone_check CHECK ((jsonb_typeof(gone) = 'object'::text)),
    CONSTRAINT erasures_kept_check CHECK ((jsonb_typeof(kept) = 'array'::text)),
    CONSTRAINT erasures_kind_check CHECK ((kind = ANY (ARRAY['conversation'::text, 'session'::text, 'record'::text, 'responses'::text, 'end_user'::text, 'workspace'::text, 'retention'::text])))
);
ALTER TABLE ONLY public.erasures FORCE ROW LEVEL SECURITY;
CREATE TABLE public.eval_experiments (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    design text NOT NULL,
    golden_ids uuid[] NOT NULL,
    row_ids uuid[] NOT NULL,
    row_hashes text[] NOT NULL,
    applies integer[] NOT NULL,
    tokens integer[] NOT NULL,
    model text,
    wanted integer NOT NULL,
    reused integer NOT NULL,
    confirms boolean NOT NULL,
    pairs integer NOT NULL,
    confirmation_id uuid,
    status text NOT NULL,
    results jsonb,
    asked text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT eval_experiments_design_check CHECK ((design = ANY (ARRAY['halves'::text, 'pairs'::text]))),
    CONSTRAINT eval_experiments_status_check CHECK ((status = ANY (ARRAY['screening'::text, 'confirming'::text, 'completed'::text, 'cancelled'::text])))
);
ALTER TABLE ONLY public.eval_experiments FORCE ROW LEVEL SECURITY;
CREATE TABLE public.eval_judge_labels (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    judge_id uuid NOT NULL,
    sample_id uuid NOT NULL,
    replay_id uuid NOT NULL,
    version integer NOT NULL,
    passed boolean,
    "values" jsonb DEFAULT '{}'::jsonb NOT NULL,
    score double precision,
    note text DEFAULT ''::text NOT NULL,
    replaced boolean DEFAULT false NOT NULL,
    labelled_by uuid NOT NULL,
    labelled_at timestamp with time zone NOT NULL,
    CONSTRAINT eval_judge_labels_note_check CHECK ((length(note) <= 2000)),
    CONSTRAINT eval_judge_labels_values_check CHECK ((jsonb_typeof("values") = 'object'::text))
);
ALTER TABLE ONLY public.eval_judge_labels FORCE ROW LEVEL SECURITY;
CREATE TABLE public.eval_judge_licences (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    judge_id uuid NOT NULL,
    kappa double precision NOT NULL,
    low double precision NOT NULL,
    tpr jsonb NOT NULL,
    tnr jsonb NOT NULL,
    labelled integer NOT NULL,
    people uuid[] NOT NULL,
    issued_at timestamp with time zone NOT NULL,
    issued_by_kind text NOT NULL,
    issued_by_id uuid,
    expires_at timestamp with time zone NOT NULL,
    withdrawn_at timestamp with time zone,
    withdrawn_by_kind text,
    withdrawn_by_id uuid,
    goldens integer,
    CONSTRAINT eval_judge_licences_issued_by_kind_check CHECK ((issued_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text]))),
    CONSTRAINT eval_judge_licences_withdrawn_by_kind_check CHECK ((withdrawn_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text])))
);
ALTER TABLE ONLY public.eval_judge_licences FORCE ROW LEVEL SECURITY;
CREATE TABLE public.eval_judge_sampled (
    tenant_id uuid NOT NULL,
    sample_id uuid NOT NULL,
    replay_id uuid NOT NULL,
    place integer NOT NULL,
    labels integer DEFAULT 0 NOT NULL
);
ALTER TABLE ONLY public.eval_judge_sampled FORCE ROW LEVEL SECURITY;
CREATE TABLE public.eval_judge_samples (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    judge_id uuid NOT NULL,
    run_id uuid,
    set_id uuid,
    seed integer NOT NULL,
    population integer NOT NULL,
    size integer NOT NULL,
    labels_each integer NOT NULL,
    done integer DEFAULT 0 NOT NULL,
    state text NOT NULL,
    asked text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    created_by_kind text NOT NULL,
    created_by_id uuid,
    ended_at timestamp with time zone,
    CONSTRAINT eval_judge_samples_created_by_kind_check CHECK ((created_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text]))),
    CONSTRAINT eval_judge_samples_labels_each_check CHECK ((labels_each > 0)),
    CONSTRAINT eval_judge_samples_size_check CHECK ((size > 0)),
    CONSTRAINT eval_judge_samples_state_check CHECK ((state = ANY (ARRAY['open'::text, 'ended'::text, 'stopped'::text])))
);
ALTER TABLE ONLY public.eval_judge_samples FORCE ROW LEVEL SECURITY;
CREATE TABLE public.eval_judges (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    criteria_set_id uuid,
    rubric jsonb NOT NULL,
    rubric_hash text NOT NULL,
    model text NOT NULL,
    prompt text NOT NULL,
    first_at timestamp with time zone NOT NULL,
    CONSTRAINT eval_judges_rubric_hash_check CHECK ((length(rubric_hash) = 64))
);
ALTER TABLE ONLY public.eval_judges FORCE ROW LEVEL SECURITY;
CREATE TABLE public.eval_replays (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    run_id uuid NOT NULL,
    golden_id uuid NOT NULL,
    revision integer NOT NULL,
    agent_id uuid NOT NULL,
    agent text NOT NULL,
    agent_version integer NOT NULL,
    repeat integer NOT NULL,
    baseline boolean DEFAULT false NOT NULL,
    left_out boolean DEFAULT false NOT NULL,
    mode text NOT NULL,
    context text NOT NULL,
    siblings uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    state text NOT NULL,
    outcome text,
    accuracy double precision,
    fidelity double precision,
    divergence text,
    error text,
    comparison jsonb,
    judging text,
    judging_reason text,
    judging_session_id uuid,
    rubric jsonb,
    rubric_passed boolean,
    tokens bigint,
    cost double precision,
    seconds double precision,
    ended_at timestamp with time zone,
    manifest text,
    rows_applicable uuid[],
    rows_present uuid[],
    measures uuid,
    judge_id uuid,
    judged_at timestamp with time zone,
    CONSTRAINT eval_replays_judging_check CHECK ((judging = ANY (ARRAY['pending'::text, 'judged'::text, 'not_judged'::text, 'failed'::text]))),
    CONSTRAINT eval_replays_manifest_check CHECK ((manifest ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT eval_replays_outcome_check CHECK ((outcome = ANY (ARRAY['passed'::text, 'failed'::text, 'inconclusive'::text, 'error'::text]))),
    CONSTRAINT eval_replays_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'compared'::text, 'cancelled'::text])))
);
ALTER TABLE ONLY public.eval_replays FORCE ROW LEVEL SECURITY;
CREATE TABLE public.eval_runs (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    trigger text NOT NULL,
    set_id uuid,
    set_name text NOT NULL,
    set_version integer NOT NULL,
    golden_id uuid,
    agents jsonb NOT NULL,
    agent_id uuid NOT NULL,
    baseline jsonb,
    repeats integer NOT NULL,
    mode text NOT NULL,
    context text NOT NULL,
    margin double precision NOT NULL,
    concurrency integer NOT NULL,
    max_cost double precision,
    estimate jsonb NOT NULL,
    status text NOT NULL,
    stopped text,
    replays integer NOT NULL,
    done integer DEFAULT 0 NOT NULL,
    passed integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    inconclusive integer DEFAULT 0 NOT NULL,
    errors integer DEFAULT 0 NOT NULL,
    cost double precision,
    pass_rate double precision,
    pass_rate_low double precision,
    pass_rate_high double precision,
    verdict text,
    results jsonb,
    confirms_id uuid,
    confirmed boolean,
    waits boolean DEFAULT false NOT NULL,
    commit_sha text,
    session_id uuid,
    asked text DEFAULT ''::text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    created_by_kind text NOT NULL,
    created_by_id uuid,
    CONSTRAINT eval_runs_agents_check CHECK ((jsonb_typeof(agents) = 'array'::text)),
    CONSTRAINT eval_runs_commit_sha_check CHECK ((length(commit_sha) <= 100)),
    CONSTRAINT eval_runs_context_check CHECK ((context = ANY (ARRAY['snapshot'::text, 'live'::text, 'drawn'::text]))),
    CONSTRAINT eval_runs_created_by_kind_check CHECK ((created_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text]))),
    CONSTRAINT eval_runs_kind_check CHECK ((kind = ANY (ARRAY['run'::text, 'floor'::text, 'confirmation'::text, 'experiment'::text]))),
    CONSTRAINT eval_runs_mode_check CHECK ((mode = ANY (ARRAY['frozen'::text, 'hybrid'::text, 'live'::text]))),
    CONSTRAINT eval_runs_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
    CONSTRAINT eval_runs_repeats_check CHECK (((repeats >= 1) AND (repeats <= 100))),
    CONSTRAINT eval_runs_status_check CHECK ((status = ANY (ARRAY['running'::text, 'completed'::text, 'cancelled'::text]))),
    CONSTRAINT eval_runs_trigger_check CHECK ((trigger = ANY (ARRAY['manual'::text, 'scheduled'::text, 'post-deploy'::text]))),
    CONSTRAINT eval_runs_verdict_check CHECK ((verdict = ANY (ARRAY['regression'::text, 'improvement'::text, 'no worse'::text, 'inconclusive'::text])))
);
ALTER TABLE ONLY public.eval_runs FORCE ROW LEVEL SECURITY;
CREATE TABLE public.events (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    topic text NOT NULL,
    subject_id text NOT NULL,
    payload jsonb DEFAULT '{}'::jsonb NOT NULL,
    actor_kind text NOT NULL,
    actor_id uuid,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    key_id uuid,
    address text,
    request_id text,
    CONSTRAINT events_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text]))),
    CONSTRAINT events_address_check CHECK ((length(address) <= 100)),
    CONSTRAINT events_request_id_check CHECK ((length(request_id) <= 100))
);
ALTER TABLE ONLY public.events FORCE ROW LEVEL SECURITY;
CREATE TABLE public.feedback (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    source_type text NOT NULL,
    rating text NOT NULL,
    comment text,
    session_id uuid,
    entity_id uuid,
    agent_id uuid,
    context jsonb DEFAULT '{}'::jsonb NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    reviewed_by_agent_id uuid,
    reviewed_by_user_id uuid,
    reviewed_at timestamp with time zone,
    review_notes text,
    created_by uuid,
    created_at timestamp with time zone NOT NULL,
    created_by_kind text NOT NULL,
    created_by_id uuid,
    end_user text,
    updated_at timestamp with time zone NOT NULL,
    source_key text NOT NULL,
    entity_type text,
    response_id uuid,
    project text,
    conversation_id text,
    turn_id text,
    origin_actor text,
    origin_artefact text NOT NULL,
    decision_id uuid,
    placed_at timestamp with time zone,
    block text,
    masked text,
    embedding real[],
    embedding_model text,
    group_id uuid,
    near_group_id uuid,
    part uuid,
    apart uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    drawn_from uuid,
    withdrawn_at timestamp with time zone,
    replaced_by uuid,
    CONSTRAINT feedback_check CHECK (((status = 'pending'::text) = (reviewed_at IS NULL))),
    CONSTRAINT feedback_comment_check CHECK ((length(comment) <= 20000)),
    CONSTRAINT feedback_context_check CHECK ((jsonb_typeof(context) = 'object'::text)),
    CONSTRAINT feedback_created_by_kind_check CHECK ((created_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text]))),
    CONSTRAINT feedback_rating_check CHECK ((rating = ANY (ARRAY['positive'::text, 'negative'::text, 'neutral'::text]))),
    CONSTRAINT feedback_review_notes_check CHECK ((length(review_notes) <= 4100)),
    CONSTRAINT feedback_source_type_check CHECK ((source_type = ANY (ARRAY['chat'::text, 'response'::text, 'extraction'::text, 'tool'::text, 'session'::text, 'observation'::text]))),
    CONSTRAINT feedback_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'reviewed'::text, 'applied'::text, 'dismissed'::text])))
);
ALTER TABLE ONLY public.feedback FORCE ROW LEVEL SECURITY;
CREATE TABLE public.feedback_decisions (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    group_id uuid NOT NULL,
    kind text NOT NULL,
    other_id uuid,
    reason text,
    note text,
    similarity double precision,
    is_one_matter boolean,
    before jsonb DEFAULT '{}'::jsonb NOT NULL,
    takes_back uuid,
    decided_at timestamp with time zone NOT NULL,
    decided_by_kind text NOT NULL,
    decided_by_id uuid,
    CONSTRAINT feedback_decisions_decided_by_kind_check CHECK ((decided_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text]))),
    CONSTRAINT feedback_decisions_kind_check CHECK ((kind = ANY (ARRAY['merge'::text, 'split'::text, 'add'::text, 'review'::text, 'dismiss'::text, 'snooze'::text, 'reopen'::text]))),
    CONSTRAINT feedback_decisions_note_check CHECK ((length(note) <= 4000))
);
ALTER TABLE ONLY public.feedback_decisions FORCE ROW LEVEL SECURITY;
CREATE TABLE public.feedback_group_reviews (
    tenant_id uuid NOT NULL,
    group_id uuid NOT NULL,
    verdict text,
    reason text,
    asked uuid[] NOT NULL,
    session_id uuid NOT NULL,
    looked_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.feedback_group_reviews FORCE ROW LEVEL SECURITY;
CREATE TABLE public.feedback_grouping (
    tenant_id uuid NOT NULL,
    threshold double precision NOT NULL,
    labels integer DEFAULT 0 NOT NULL
);
ALTER TABLE ONLY public.feedback_grouping FORCE ROW LEVEL SECURITY;
CREATE TABLE public.feedback_groups (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    state text DEFAULT 'open'::text NOT NULL,
    rating text NOT NULL,
    block text NOT NULL,
    key text,
    agent_id uuid,
    entity_type text,
    title text DEFAULT ''::text NOT NULL,
    template text[],
    members integer DEFAULT 0 NOT NULL,
    pending integer DEFAULT 0 NOT NULL,
    origins integer DEFAULT 0 NOT NULL,
    cohesion double precision,
    proposed boolean DEFAULT false NOT NULL,
    returned boolean DEFAULT false NOT NULL,
    escalates_at integer,
    sources text[] DEFAULT '{}'::text[] NOT NULL,
    by_day jsonb DEFAULT '{}'::jsonb NOT NULL,
    centroid real[],
    centroid_model text,
    weight double precision DEFAULT 0 NOT NULL,
    first_at timestamp with time zone NOT NULL,
    last_at timestamp with time zone NOT NULL,
    reason text,
    note text,
    decision_id uuid,
    decided_by_kind text,
    decided_by_id uuid,
    decided_at timestamp with time zone,
    merged_into uuid,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT feedback_groups_decided_by_kind_check CHECK ((decided_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text]))),
    CONSTRAINT feedback_groups_kind_check CHECK ((kind = ANY (ARRAY['field'::text, 'tool'::text, 'golden'::text, 'reason'::text, 'wording'::text]))),
    CONSTRAINT feedback_groups_note_check CHECK ((length(note) <= 4000)),
    CONSTRAINT feedback_groups_rating_check CHECK ((rating = ANY (ARRAY['positive'::text, 'negative'::text, 'neutral'::text]))),
    CONSTRAINT feedback_groups_state_check CHECK ((state = ANY (ARRAY['open'::text, 'snoozed'::text, 'dismissed'::text, 'merged'::text])))
);
ALTER TABLE ONLY public.feedback_groups FORCE ROW LEVEL SECURITY;
CREATE TABLE public.feedback_moves (
    tenant_id uuid NOT NULL,
    decision_id uuid NOT NULL,
    feedback_id uuid NOT NULL,
    group_id uuid,
    near_group_id uuid,
    part uuid,
    apart uuid[] NOT NULL,
    drawn_from uuid
);
ALTER TABLE ONLY public.feedback_moves FORCE ROW LEVEL SECURITY;
CREATE TABLE public.feedback_words (
    tenant_id uuid NOT NULL,
    feedback_id uuid NOT NULL,
    word text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE ONLY public.feedback_words FORCE ROW LEVEL SECURITY;
CREATE TABLE public.golden_alternatives (
    tenant_id uuid NOT NULL,
    golden_id uuid NOT NULL,
    session_id uuid NOT NULL,
    added_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.golden_alternatives FORCE ROW LEVEL SECURITY;
CREATE TABLE public.golden_sets (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT golden_sets_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)))
);
ALTER TABLE ONLY public.golden_sets FORCE ROW LEVEL SECURITY;
CREATE TABLE public.goldens (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    set_id uuid NOT NULL,
    note text DEFAULT ''::text NOT NULL,
    criteria_set_id uuid,
    effects text NOT NULL,
    facts jsonb DEFAULT '[]'::jsonb NOT NULL,
    min_pass double precision,
    revision integer DEFAULT 1 NOT NULL,
    agent_id uuid,
    agent_version integer,
    private jsonb DEFAULT '{}'::jsonb NOT NULL,
    floor text,
    floor_passes integer,
    floor_runs integer,
    floor_run_id uuid,
    promoted_at timestamp with time zone NOT NULL,
    promoted_by_kind text NOT NULL,
    promoted_by_id uuid,
    CONSTRAINT goldens_effects_check CHECK ((effects = ANY (ARRAY['exact'::text, 'contains'::text, 'off'::text]))),
    CONSTRAINT goldens_facts_check CHECK ((jsonb_typeof(facts) = 'array'::text)),
    CONSTRAINT goldens_floor_check CHECK ((floor = ANY (ARRAY['stable'::text, 'flaky'::text, 'broken'::text]))),
    CONSTRAINT goldens_min_pass_check CHECK (((min_pass >= (0)::double precision) AND (min_pass <= (1)::double precision))),
    CONSTRAINT goldens_note_check CHECK ((length(note) <= 2000)),
    CONSTRAINT goldens_promoted_by_kind_check CHECK ((promoted_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text])))
);
ALTER TABLE ONLY public.goldens FORCE ROW LEVEL SECURITY;
CREATE TABLE public.idempotency_keys (
    tenant_id uuid NOT NULL,
    actor text NOT NULL,
    key text NOT NULL,
    request_hash bytea NOT NULL,
    response jsonb,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY public.idempotency_keys FORCE ROW LEVEL SECURITY;
CREATE TABLE public.identities (
    issuer text NOT NULL,
    subject text NOT NULL,
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    provider text NOT NULL,
    email text NOT NULL,
    linked_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT identities_email_check CHECK ((length(email) <= 320)),
    CONSTRAINT identities_issuer_check CHECK (((length(issuer) >= 1) AND (length(issuer) <= 500))),
    CONSTRAINT identities_provider_check CHECK ((length(provider) <= 30)),
    CONSTRAINT identities_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 255)))
);
CREATE TABLE public.installation (
    only_row boolean DEFAULT true NOT NULL,
    secret text NOT NULL,
    CONSTRAINT installation_only_row_check CHECK (only_row)
);
CREATE TABLE public.invites (
    hash bytea NOT NULL,
    tenant_id uuid NOT NULL,
    user_id uuid NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.key_limits (
    tenant_id uuid NOT NULL,
    key_id uuid NOT NULL,
    requests_per_minute integer NOT NULL,
    CONSTRAINT key_limits_requests_per_minute_check CHECK ((requests_per_minute > 0))
);
ALTER TABLE ONLY public.key_limits FORCE ROW LEVEL SECURITY;
CREATE TABLE public.knowledge_versions (
    tenant_id uuid NOT NULL,
    version bigint NOT NULL
);
ALTER TABLE ONLY public.knowledge_versions FORCE ROW LEVEL SECURITY;
CREATE TABLE public.list_columns (
    tenant_id uuid NOT NULL,
    party_kind text NOT NULL,
    party_id uuid NOT NULL,
    entity_type_slug text NOT NULL,
    columns text[] NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT list_columns_columns_check CHECK ((cardinality(columns) <= 20)),
    CONSTRAINT list_columns_party_kind_check CHECK ((party_kind = ANY (ARRAY['user'::text, 'agent'::text])))
);
ALTER TABLE ONLY public.list_columns FORCE ROW LEVEL SECURITY;
CREATE TABLE public.live_watchers (
    tenant_id uuid NOT NULL,
    watcher uuid NOT NULL,
    until timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.live_watchers FORCE ROW LEVEL SECURITY;
CREATE TABLE public.marks (
    tenant_id uuid NOT NULL,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    kind text NOT NULL,
    key text NOT NULL,
    marked_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    due_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    leased_until timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    last_error text
);
ALTER TABLE ONLY public.marks FORCE ROW LEVEL SECURITY;
CREATE TABLE public.memberships (
    tenant_id uuid NOT NULL,
    user_id uuid NOT NULL,
    role text NOT NULL,
    joined_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    created_by_kind text NOT NULL,
    created_by_id uuid,
    email text NOT NULL,
    account_id uuid,
    provider text,
    signed_in_after timestamp with time zone,
    CONSTRAINT memberships_created_by_kind_check CHECK ((created_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text]))),
    CONSTRAINT memberships_joined CHECK (((account_id IS NULL) = (joined_at IS NULL))),
    CONSTRAINT memberships_provider_check CHECK ((length(provider) <= 30)),
    CONSTRAINT memberships_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'contributor'::text, 'reviewer'::text, 'admin'::text, 'owner'::text])))
);
CREATE TABLE public.otel_batches (
    tenant_id uuid NOT NULL,
    id bytea NOT NULL,
    received_at timestamp with time zone NOT NULL,
    signal smallint NOT NULL,
    encoding smallint NOT NULL,
    spans integer NOT NULL,
    trace_ids bytea NOT NULL,
    is_spread boolean DEFAULT false NOT NULL,
    body bytea NOT NULL,
    CONSTRAINT otel_batches_encoding_check CHECK (((encoding >= 0) AND (encoding <= 7))),
    CONSTRAINT otel_batches_signal_check CHECK ((signal = ANY (ARRAY[1, 2]))),
    CONSTRAINT otel_batches_trace_ids_check CHECK (((length(trace_ids) % 16) = 0))
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY public.otel_batches ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE ONLY public.otel_batches FORCE ROW LEVEL SECURITY;
CREATE TABLE public.otel_sources (
    tenant_id uuid NOT NULL,
    service text NOT NULL,
    scope text NOT NULL,
    sdk text NOT NULL,
    spans bigint NOT NULL,
    requests bigint NOT NULL,
    with_content bigint NOT NULL,
    with_session bigint NOT NULL,
    with_user bigint NOT NULL,
    first_at timestamp with time zone NOT NULL,
    last_at timestamp with time zone NOT NULL,
    CONSTRAINT otel_sources_scope_check CHECK ((length(scope) <= 200)),
    CONSTRAINT otel_sources_sdk_check CHECK ((length(sdk) <= 200)),
    CONSTRAINT otel_sources_service_check CHECK ((length(service) <= 200))
);
ALTER TABLE ONLY public.otel_sources FORCE ROW LEVEL SECURITY;
CREATE TABLE public.otel_trace_batches (
    tenant_id uuid NOT NULL,
    trace_id bytea NOT NULL,
    batch_id bytea NOT NULL
);
ALTER TABLE ONLY public.otel_trace_batches FORCE ROW LEVEL SECURITY;
CREATE TABLE public.otel_traces (
    tenant_id uuid NOT NULL,
    trace_id bytea NOT NULL,
    session_id uuid,
    first_at timestamp with time zone NOT NULL,
    last_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    error text,
    answer text,
    answer_span bytea,
    has_turn boolean DEFAULT false NOT NULL,
    counts jsonb DEFAULT '[]'::jsonb NOT NULL
);
ALTER TABLE ONLY public.otel_traces FORCE ROW LEVEL SECURITY;
CREATE TABLE public.parties (
    tenant_id uuid NOT NULL,
    kind text NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    CONSTRAINT parties_kind_check CHECK ((kind = ANY (ARRAY['user'::text, 'agent'::text]))),
    CONSTRAINT parties_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)))
);
ALTER TABLE ONLY public.parties FORCE ROW LEVEL SECURITY;
CREATE TABLE public.password_resets (
    hash bytea NOT NULL,
    tenant_id uuid,
    user_id uuid,
    account_id uuid,
    drops_factor boolean DEFAULT false NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT password_resets_check CHECK ((((tenant_id IS NULL) = (user_id IS NULL)) AND ((tenant_id IS NULL) <> (account_id IS NULL))))
);
CREATE TABLE public.prompt_heads (
    tenant_id uuid NOT NULL,
    scope_agent uuid NOT NULL,
    scope_type uuid NOT NULL,
    version bigint NOT NULL,
    manifest text NOT NULL,
    included jsonb NOT NULL,
    left_out jsonb NOT NULL
);
ALTER TABLE ONLY public.prompt_heads FORCE ROW LEVEL SECURITY;
CREATE TABLE public.prompt_manifest_rows (
    tenant_id uuid NOT NULL,
    row_id uuid NOT NULL,
    manifest text NOT NULL
);
ALTER TABLE ONLY public.prompt_manifest_rows FORCE ROW LEVEL SECURITY;
CREATE TABLE public.prompt_manifests (
    tenant_id uuid NOT NULL,
    hash text NOT NULL,
    row_ids uuid[] NOT NULL,
    row_hashes text[] NOT NULL,
    memory_ids uuid[] NOT NULL,
    body text NOT NULL,
    tokens integer NOT NULL,
    included jsonb NOT NULL,
    left_out jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_had_at timestamp with time zone NOT NULL,
    CONSTRAINT prompt_manifests_hash_check CHECK ((hash ~ '^[0-9a-f]{64}$'::text))
);
ALTER TABLE ONLY public.prompt_manifests FORCE ROW LEVEL SECURITY;
CREATE TABLE public.recovery_codes (
    account_id uuid NOT NULL,
    hash bytea NOT NULL
);
CREATE TABLE public.relation_scores (
    tenant_id uuid NOT NULL,
    relation_id uuid NOT NULL,
    criteria_set_id uuid NOT NULL,
    source_id uuid NOT NULL,
    field_key text NOT NULL,
    score double precision NOT NULL
);
ALTER TABLE ONLY public.relation_scores FORCE ROW LEVEL SECURITY;
CREATE TABLE public.request_counts (
    tenant_id uuid NOT NULL,
    subject_id uuid NOT NULL,
    process_id uuid NOT NULL,
    minute timestamp with time zone NOT NULL,
    requests integer NOT NULL
);
ALTER TABLE ONLY public.request_counts FORCE ROW LEVEL SECURITY;
CREATE TABLE public.response_sources (
    tenant_id uuid NOT NULL,
    response_id uuid NOT NULL,
    ref text NOT NULL,
    title text,
    dimensions text[] NOT NULL,
    CONSTRAINT response_sources_ref_check CHECK ((length(ref) <= 600))
);
ALTER TABLE ONLY public.response_sources FORCE ROW LEVEL SECURITY;
CREATE TABLE public.run_usage (
    tenant_id uuid NOT NULL,
    day date NOT NULL,
    shard smallint NOT NULL,
    tokens bigint NOT NULL,
    cost double precision NOT NULL
);
ALTER TABLE ONLY public.run_usage FORCE ROW LEVEL SECURITY;
CREATE TABLE public.runs (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    subject text NOT NULL,
    exclusive boolean NOT NULL,
    status text DEFAULT 'queued'::text NOT NULL,
    job_id uuid,
    resume_point jsonb,
    done integer DEFAULT 0 NOT NULL,
    total integer NOT NULL,
    cancel_requested boolean DEFAULT false NOT NULL,
    error_code text,
    error_message text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    started_at timestamp with time zone,
    ended_at timestamp with time zone,
    created_by_kind text NOT NULL,
    created_by_id uuid,
    CONSTRAINT runs_created_by_kind_check CHECK ((created_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text]))),
    CONSTRAINT runs_kind_check CHECK (((length(kind) >= 1) AND (length(kind) <= 200))),
    CONSTRAINT runs_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'done'::text, 'failed'::text, 'cancelled'::text]))),
    CONSTRAINT runs_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 200)))
);
ALTER TABLE ONLY public.runs FORCE ROW LEVEL SECURITY;
CREATE TABLE public.saved_lists (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    entity_type_slug text,
    query jsonb NOT NULL,
    shared boolean DEFAULT false NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    created_by_kind text NOT NULL,
    created_by_id uuid,
    CONSTRAINT saved_lists_created_by_kind_check CHECK ((created_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text]))),
    CONSTRAINT saved_lists_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
    CONSTRAINT saved_lists_query_check CHECK ((jsonb_typeof(query) = 'object'::text))
);
ALTER TABLE ONLY public.saved_lists FORCE ROW LEVEL SECURITY;
CREATE TABLE public.schema_functions (
    name text NOT NULL,
    sha256 text NOT NULL,
    release text
);
CREATE TABLE public.schema_migrations (
    version integer NOT NULL,
    name text NOT NULL,
    sha256 text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL,
    needs integer
);
CREATE TABLE public.second_factors (
    account_id uuid NOT NULL,
    secret bytea NOT NULL,
    last_step bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    confirmed_at timestamp with time zone
);
CREATE TABLE public.session_events (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    seq integer NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    at timestamp with time zone NOT NULL,
    payload jsonb NOT NULL,
    blob text,
    CONSTRAINT session_events_payload_check CHECK ((jsonb_typeof(payload) = 'object'::text)),
    CONSTRAINT session_events_type_check CHECK (((length(type) >= 1) AND (length(type) <= 100)))
);
ALTER TABLE ONLY public.session_events FORCE ROW LEVEL SECURITY;
CREATE TABLE public.session_words (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    word text NOT NULL
);
ALTER TABLE ONLY public.session_words FORCE ROW LEVEL SECURITY;
CREATE TABLE public.sessions (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    external_id text,
    type text NOT NULL,
    status text NOT NULL,
    source text NOT NULL,
    agent text,
    agent_id uuid,
    agent_version integer,
    entity_id uuid,
    task_id uuid,
    parent_session_id uuid,
    project text,
    conversation_id text,
    input jsonb DEFAULT '{}'::jsonb NOT NULL,
    output jsonb,
    error_code text,
    error_message text,
    first_message text DEFAULT ''::text NOT NULL,
    last_seq integer DEFAULT 0 NOT NULL,
    requests integer DEFAULT 0 NOT NULL,
    tool_calls integer DEFAULT 0 NOT NULL,
    input_tokens bigint DEFAULT 0 NOT NULL,
    output_tokens bigint DEFAULT 0 NOT NULL,
    cost double precision,
    metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    last_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    created_by_kind text NOT NULL,
    created_by_id uuid,
    purpose text DEFAULT 'prompt'::text NOT NULL,
    claim integer DEFAULT 0 NOT NULL,
    question jsonb,
    dismissed_at timestamp with time zone,
    heard_at timestamp with time zone DEFAULT now() NOT NULL,
    manifest text,
    erasing uuid,
    CONSTRAINT sessions_created_by_kind_check CHECK ((created_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text]))),
    CONSTRAINT sessions_external_id_check CHECK (((length(external_id) >= 1) AND (length(external_id) <= 200))),
    CONSTRAINT sessions_manifest_check CHECK ((manifest ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT sessions_metadata_check CHECK ((jsonb_typeof(metadata) = 'object'::text)),
    CONSTRAINT sessions_purpose_check CHECK (((length(purpose) >= 1) AND (length(purpose) <= 63))),
    CONSTRAINT sessions_source_check CHECK ((source = ANY (ARRAY['run'::text, 'client'::text, 'otlp'::text]))),
    CONSTRAINT sessions_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'waiting'::text, 'stalled'::text, 'completed'::text, 'failed'::text, 'cancelled'::text]))),
    CONSTRAINT sessions_type_check CHECK ((type = ANY (ARRAY['agent'::text, 'chat'::text, 'response'::text, 'tool'::text, 'mixed'::text])))
);
ALTER TABLE ONLY public.sessions FORCE ROW LEVEL SECURITY;
CREATE TABLE public.shared_context (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    content text NOT NULL,
    context text,
    agent_id uuid,
    entity_type_id uuid,
    decided text NOT NULL,
    standing text NOT NULL,
    pinned boolean DEFAULT false NOT NULL,
    wording boolean NOT NULL,
    read_at timestamp with time zone,
    erased_at timestamp with time zone,
    state text NOT NULL,
    active boolean GENERATED ALWAYS AS ((state = 'active'::text)) STORED NOT NULL,
    flags text[] DEFAULT '{}'::text[] NOT NULL,
    waits boolean GENERATED ALWAYS AS (((state = 'proposed'::text) OR (cardinality(flags) > 0))) STORED NOT NULL,
    origins integer DEFAULT 0 NOT NULL,
    confirmations integer DEFAULT 0 NOT NULL,
    last_confirmed_at timestamp with time zone NOT NULL,
    value jsonb,
    value_z double precision,
    rank double precision NOT NULL,
    rank_stale boolean DEFAULT false NOT NULL,
    scope_agent uuid GENERATED ALWAYS AS (COALESCE(agent_id, '00000000-0000-0000-0000-000000000000'::uuid)) STORED NOT NULL,
    scope_type uuid GENERATED ALWAYS AS (COALESCE(entity_type_id, '00000000-0000-0000-0000-000000000000'::uuid)) STORED NOT NULL,
    tokens integer NOT NULL,
    embedding real[],
    embedding_model text,
    source_feedback_id uuid,
    group_id uuid,
    created_by_agent_id uuid,
    created_by_user_id uuid,
    created_by_kind text NOT NULL,
    conflicts_with uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT shared_context_content_check CHECK (((length(content) >= 1) AND (length(content) <= 2000))),
    CONSTRAINT shared_context_context_check CHECK (((length(context) >= 1) AND (length(context) <= 500))),
    CONSTRAINT shared_context_created_by_kind_check CHECK ((created_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text]))),
    CONSTRAINT shared_context_decided_check CHECK ((decided = ANY (ARRAY['proposed'::text, 'shadow'::text, 'active'::text, 'retired'::text, 'rejected'::text]))),
    CONSTRAINT shared_context_metadata_check CHECK ((jsonb_typeof(metadata) = 'object'::text)),
    CONSTRAINT shared_context_standing_check CHECK ((standing = ANY (ARRAY['person'::text, 'support'::text]))),
    CONSTRAINT shared_context_state_check CHECK ((state = ANY (ARRAY['proposed'::text, 'shadow'::text, 'active'::text, 'retired'::text, 'rejected'::text]))),
    CONSTRAINT shared_context_type_check CHECK ((type = ANY (ARRAY['correction'::text, 'lesson'::text, 'routing'::text, 'insight'::text, 'guideline'::text])))
);
ALTER TABLE ONLY public.shared_context FORCE ROW LEVEL SECURITY;
CREATE TABLE public.shared_context_citations (
    tenant_id uuid NOT NULL,
    row_id uuid NOT NULL,
    session_id uuid NOT NULL,
    cited_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.shared_context_citations FORCE ROW LEVEL SECURITY;
CREATE TABLE public.shared_context_groups (
    tenant_id uuid NOT NULL,
    row_id uuid NOT NULL,
    group_id uuid NOT NULL,
    added_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.shared_context_groups FORCE ROW LEVEL SECURITY;
CREATE TABLE public.shared_context_history (
    tenant_id uuid NOT NULL,
    row_id uuid NOT NULL,
    seq integer NOT NULL,
    id uuid NOT NULL,
    change text NOT NULL,
    state_before text,
    state text NOT NULL,
    before jsonb,
    after jsonb NOT NULL,
    reason text,
    evidence jsonb DEFAULT '{}'::jsonb NOT NULL,
    takes_back uuid,
    actor_kind text NOT NULL,
    actor_id uuid,
    at timestamp with time zone NOT NULL,
    CONSTRAINT shared_context_history_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text]))),
    CONSTRAINT shared_context_history_change_check CHECK ((change = ANY (ARRAY['created'::text, 'edited'::text, 'approved'::text, 'shadowed'::text, 'retired'::text, 'rejected'::text, 'support'::text, 'undone'::text]))),
    CONSTRAINT shared_context_history_reason_check CHECK ((length(reason) <= 2000))
);
ALTER TABLE ONLY public.shared_context_history FORCE ROW LEVEL SECURITY;
CREATE TABLE public.shared_context_kept (
    tenant_id uuid NOT NULL,
    row_id uuid NOT NULL,
    other_id uuid NOT NULL,
    kept_by_kind text NOT NULL,
    kept_by_id uuid,
    kept_at timestamp with time zone NOT NULL,
    CONSTRAINT shared_context_kept_check CHECK ((row_id < other_id)),
    CONSTRAINT shared_context_kept_kept_by_kind_check CHECK ((kept_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text])))
);
ALTER TABLE ONLY public.shared_context_kept FORCE ROW LEVEL SECURITY;
CREATE TABLE public.shared_context_support (
    tenant_id uuid NOT NULL,
    row_id uuid NOT NULL,
    feedback_id uuid NOT NULL,
    group_id uuid,
    origin_actor text,
    origin_artefact text NOT NULL,
    is_reaction boolean NOT NULL,
    words text NOT NULL,
    by_member boolean NOT NULL,
    flagged boolean NOT NULL,
    rating text NOT NULL,
    comment_hash text,
    echo boolean NOT NULL,
    medoid boolean NOT NULL,
    holds text[] NOT NULL,
    dismissed boolean NOT NULL,
    rated_anew boolean DEFAULT false NOT NULL,
    moved boolean DEFAULT false NOT NULL,
    lost_at timestamp with time zone,
    added_at timestamp with time zone NOT NULL,
    CONSTRAINT shared_context_support_check CHECK (((dismissed OR rated_anew OR moved) = (lost_at IS NOT NULL)))
);
ALTER TABLE ONLY public.shared_context_support FORCE ROW LEVEL SECURITY;
CREATE TABLE public.shared_context_values (
    tenant_id uuid NOT NULL,
    row_id uuid NOT NULL,
    experiment_id uuid NOT NULL,
    value jsonb NOT NULL,
    measured_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.shared_context_values FORCE ROW LEVEL SECURITY;
CREATE TABLE public.shared_context_words (
    tenant_id uuid NOT NULL,
    row_id uuid NOT NULL,
    word text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE ONLY public.shared_context_words FORCE ROW LEVEL SECURITY;
CREATE TABLE public.sign_in_attempts (
    subject bytea NOT NULL,
    since timestamp with time zone NOT NULL,
    attempts integer NOT NULL
);
CREATE TABLE public.sign_in_requests (
    hash bytea NOT NULL,
    content bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.sign_in_sessions (
    hash bytea NOT NULL,
    user_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    method text DEFAULT 'password'::text NOT NULL,
    provider text,
    id_token bytea,
    device text DEFAULT ''::text NOT NULL,
    client text DEFAULT ''::text NOT NULL,
    last_seen_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT sign_in_sessions_client_check CHECK ((length(client) <= 100)),
    CONSTRAINT sign_in_sessions_device_check CHECK ((length(device) <= 500)),
    CONSTRAINT sign_in_sessions_method_check CHECK ((method = ANY (ARRAY['password'::text, 'provider'::text, 'link'::text]))),
    CONSTRAINT sign_in_sessions_provider_check CHECK ((length(provider) <= 30))
);
CREATE TABLE public.storage_measures (
    tenant_id uuid NOT NULL,
    row_bytes bigint NOT NULL,
    blob_bytes bigint NOT NULL,
    measured_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.storage_measures FORCE ROW LEVEL SECURITY;
CREATE TABLE public.tasks (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    agent_id uuid NOT NULL,
    agent text NOT NULL,
    config jsonb NOT NULL,
    schedule jsonb,
    enabled boolean NOT NULL,
    next_at timestamp with time zone,
    job_id uuid,
    problem jsonb,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    created_by_kind text NOT NULL,
    created_by_id uuid,
    CONSTRAINT tasks_config_check CHECK ((jsonb_typeof(config) = 'object'::text)),
    CONSTRAINT tasks_created_by_kind_check CHECK ((created_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text]))),
    CONSTRAINT tasks_kind_check CHECK (((length(kind) >= 1) AND (length(kind) <= 63))),
    CONSTRAINT tasks_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)))
);
ALTER TABLE ONLY public.tasks FORCE ROW LEVEL SECURITY;
CREATE TABLE public.tenants (
    id uuid NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT tenants_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
    CONSTRAINT tenants_slug_check CHECK ((slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text))
);
CREATE TABLE public.user_memories (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    content text NOT NULL,
    created_by_kind text NOT NULL,
    created_by_id uuid,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT user_memories_content_check CHECK (((length(content) >= 1) AND (length(content) <= 2000))),
    CONSTRAINT user_memories_created_by_kind_check CHECK ((created_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text])))
);
ALTER TABLE ONLY public.user_memories FORCE ROW LEVEL SECURITY;
CREATE TABLE public.users (
    id uuid NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    password_hash text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    made_in uuid,
    CONSTRAINT users_email_check CHECK (((email = lower(email)) AND ((length(email) >= 3) AND (length(email) <= 320)))),
    CONSTRAINT users_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)))
);
CREATE TABLE public.views (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    entity_type_slug text,
    blocks jsonb NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    created_by_kind text NOT NULL,
    created_by_id uuid,
    CONSTRAINT views_created_by_kind_check CHECK ((created_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text]))),
    CONSTRAINT views_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
    CONSTRAINT views_slug_check CHECK ((slug ~ '^[a-z0-9][a-z0-9_-]{0,62}$'::text))
);
ALTER TABLE ONLY public.views FORCE ROW LEVEL SECURITY;
CREATE TABLE public.webhook_attempts (
    tenant_id uuid NOT NULL,
    delivery_id uuid NOT NULL,
    number integer NOT NULL,
    at timestamp with time zone NOT NULL,
    milliseconds integer NOT NULL,
    status integer,
    error text,
    request_headers jsonb NOT NULL,
    answer_type text,
    answer text
);
ALTER TABLE ONLY public.webhook_attempts FORCE ROW LEVEL SECURITY;
CREATE TABLE public.webhook_deliveries (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    event_id uuid NOT NULL,
    name text NOT NULL,
    subject_id text NOT NULL,
    event_at timestamp with time zone NOT NULL,
    status text DEFAULT 'waiting'::text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    step integer DEFAULT 0 NOT NULL,
    first_at timestamp with time zone,
    next_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'delivered'::text, 'failed'::text])))
);
ALTER TABLE ONLY public.webhook_deliveries FORCE ROW LEVEL SECURITY;
CREATE TABLE public.webhook_endpoints (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    url text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    events text[] NOT NULL,
    enabled boolean DEFAULT true NOT NULL,
    switched_off text,
    switched_off_at timestamp with time zone,
    secret bytea NOT NULL,
    previous_secret bytea,
    previous_until timestamp with time zone,
    failures integer DEFAULT 0 NOT NULL,
    failing_since timestamp with time zone,
    paused_until timestamp with time zone,
    last_error text,
    last_success_at timestamp with time zone,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    created_by_kind text NOT NULL,
    created_by_id uuid,
    CONSTRAINT webhook_endpoints_check CHECK (((switched_off IS NULL) OR (NOT enabled))),
    CONSTRAINT webhook_endpoints_created_by_kind_check CHECK ((created_by_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text]))),
    CONSTRAINT webhook_endpoints_description_check CHECK ((length(description) <= 500)),
    CONSTRAINT webhook_endpoints_events_check CHECK ((cardinality(events) > 0)),
    CONSTRAINT webhook_endpoints_switched_off_check CHECK ((switched_off = ANY (ARRAY['failing'::text, 'gone'::text]))),
    CONSTRAINT webhook_endpoints_url_check CHECK (((length(url) >= 1) AND (length(url) <= 2000)))
);
ALTER TABLE ONLY public.webhook_endpoints FORCE ROW LEVEL SECURITY;
CREATE TABLE public.workspace_settings (
    tenant_id uuid NOT NULL,
    section text NOT NULL,
    value jsonb NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT workspace_settings_section_check CHECK (((length(section) >= 1) AND (length(section) <= 100))),
    CONSTRAINT workspace_settings_value_check CHECK ((jsonb_typeof(value) = 'object'::text))
);
ALTER TABLE ONLY public.workspace_settings FORCE ROW LEVEL SECURITY;
ALTER TABLE ONLY public.agent_secrets
    ADD CONSTRAINT agent_secrets_pkey PRIMARY KEY (tenant_id, agent_id, name);
ALTER TABLE ONLY public.agent_versions
    ADD CONSTRAINT agent_versions_pkey PRIMARY KEY (tenant_id, agent_id, version);
ALTER TABLE ONLY public.agents
    ADD CONSTRAINT agents_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.agents
    ADD CONSTRAINT agents_tenant_id_slug_key UNIQUE (tenant_id, slug);
ALTER TABLE ONLY public.api_key_hashes
    ADD CONSTRAINT api_key_hashes_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.api_key_hashes
    ADD CONSTRAINT api_key_hashes_tenant_id_key_id_key UNIQUE (tenant_id, key_id);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.archives
    ADD CONSTRAINT archives_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.artifact_eval_failures
    ADD CONSTRAINT artifact_eval_failures_pkey PRIMARY KEY (tenant_id, run_id, entity_id, dimension);
ALTER TABLE ONLY public.artifact_eval_results
    ADD CONSTRAINT artifact_eval_results_pkey PRIMARY KEY (tenant_id, run_id, entity_id);
ALTER TABLE ONLY public.artifact_eval_runs
    ADD CONSTRAINT artifact_eval_runs_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.chain_items
    ADD CONSTRAINT chain_items_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.chain_items
    ADD CONSTRAINT chain_items_tenant_id_retraction_id_ref_key UNIQUE (tenant_id, retraction_id, ref);
ALTER TABLE ONLY public.chain_retractions
    ADD CONSTRAINT chain_retractions_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.conv_messages
    ADD CONSTRAINT conv_messages_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.conv_turns
    ADD CONSTRAINT conv_turns_pkey PRIMARY KEY (tenant_id, project, conversation_id, turn_id);
ALTER TABLE ONLY public.conversation_words
    ADD CONSTRAINT conversation_words_pkey PRIMARY KEY (tenant_id, project, conversation_id, word);
ALTER TABLE ONLY public.conversations
    ADD CONSTRAINT conversations_pkey PRIMARY KEY (tenant_id, project, id);
ALTER TABLE ONLY public.criteria_sets
    ADD CONSTRAINT criteria_sets_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.criteria_sets
    ADD CONSTRAINT criteria_sets_tenant_id_slug_key UNIQUE (tenant_id, slug);
ALTER TABLE ONLY public.entities
    ADD CONSTRAINT entities_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.entity_field_history
    ADD CONSTRAINT entity_field_history_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.entity_field_sources
    ADD CONSTRAINT entity_field_sources_pkey PRIMARY KEY (tenant_id, entity_id, field);
ALTER TABLE ONLY public.entity_relations
    ADD CONSTRAINT entity_relations_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.entity_relations
    ADD CONSTRAINT entity_relations_tenant_id_source_id_field_key_target_id_key UNIQUE (tenant_id, source_id, field_key, target_id);
ALTER TABLE ONLY public.entity_responses
    ADD CONSTRAINT entity_responses_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.entity_types
    ADD CONSTRAINT entity_types_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.entity_types
    ADD CONSTRAINT entity_types_tenant_id_slug_key UNIQUE (tenant_id, slug);
ALTER TABLE ONLY public.entity_words
    ADD CONSTRAINT entity_words_pkey PRIMARY KEY (tenant_id, word, entity_id);
ALTER TABLE ONLY public.erased_workspaces
    ADD CONSTRAINT erased_workspaces_pkey PRIMARY KEY (workspace_id);
ALTER TABLE ONLY public.erasure_blocks
    ADD CONSTRAINT erasure_blocks_pkey PRIMARY KEY (tenant_id, kind, key, erasure_id);
ALTER TABLE ONLY public.erasure_items
    ADD CONSTRAINT erasure_items_pkey PRIMARY KEY (tenant_id, erasure_id, kind, place);
ALTER TABLE ONLY public.erasures
    ADD CONSTRAINT erasures_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.eval_experiments
    ADD CONSTRAINT eval_experiments_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.eval_judge_labels
    ADD CONSTRAINT eval_judge_labels_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.eval_judge_labels
    ADD CONSTRAINT eval_judge_labels_tenant_id_sample_id_replay_id_labelled_by_key UNIQUE (tenant_id, sample_id, replay_id, labelled_by, version);
ALTER TABLE ONLY public.eval_judge_licences
    ADD CONSTRAINT eval_judge_licences_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.eval_judge_sampled
    ADD CONSTRAINT eval_judge_sampled_pkey PRIMARY KEY (tenant_id, sample_id, place);
ALTER TABLE ONLY public.eval_judge_sampled
    ADD CONSTRAINT eval_judge_sampled_tenant_id_replay_id_key UNIQUE (tenant_id, replay_id);
ALTER TABLE ONLY public.eval_judge_samples
    ADD CONSTRAINT eval_judge_samples_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.eval_judges
    ADD CONSTRAINT eval_judges_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.eval_judges
    ADD CONSTRAINT eval_judges_tenant_id_rubric_hash_model_prompt_key UNIQUE (tenant_id, rubric_hash, model, prompt);
ALTER TABLE ONLY public.eval_replays
    ADD CONSTRAINT eval_replays_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.eval_replays
    ADD CONSTRAINT eval_replays_tenant_id_run_id_golden_id_agent_id_agent_vers_key UNIQUE (tenant_id, run_id, golden_id, agent_id, agent_version, baseline, repeat);
ALTER TABLE ONLY public.eval_runs
    ADD CONSTRAINT eval_runs_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.feedback_decisions
    ADD CONSTRAINT feedback_decisions_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.feedback_group_reviews
    ADD CONSTRAINT feedback_group_reviews_pkey PRIMARY KEY (tenant_id, group_id);
ALTER TABLE ONLY public.feedback_grouping
    ADD CONSTRAINT feedback_grouping_pkey PRIMARY KEY (tenant_id);
ALTER TABLE ONLY public.feedback_groups
    ADD CONSTRAINT feedback_groups_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.feedback_moves
    ADD CONSTRAINT feedback_moves_pkey PRIMARY KEY (tenant_id, decision_id, feedback_id);
ALTER TABLE ONLY public.feedback
    ADD CONSTRAINT feedback_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.feedback
    ADD CONSTRAINT feedback_tenant_id_source_key_key UNIQUE (tenant_id, source_key);
ALTER TABLE ONLY public.feedback_words
    ADD CONSTRAINT feedback_words_pkey PRIMARY KEY (tenant_id, feedback_id, word);
ALTER TABLE ONLY public.golden_alternatives
    ADD CONSTRAINT golden_alternatives_pkey PRIMARY KEY (tenant_id, golden_id, session_id);
ALTER TABLE ONLY public.golden_sets
    ADD CONSTRAINT golden_sets_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.golden_sets
    ADD CONSTRAINT golden_sets_tenant_id_name_key UNIQUE (tenant_id, name);
ALTER TABLE ONLY public.goldens
    ADD CONSTRAINT goldens_pkey PRIMARY KEY (tenant_id, session_id);
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (tenant_id, actor, key);
ALTER TABLE ONLY public.identities
    ADD CONSTRAINT identities_id_key UNIQUE (id);
ALTER TABLE ONLY public.identities
    ADD CONSTRAINT identities_pkey PRIMARY KEY (issuer, subject);
ALTER TABLE ONLY public.installation
    ADD CONSTRAINT installation_pkey PRIMARY KEY (only_row);
ALTER TABLE ONLY public.invites
    ADD CONSTRAINT invites_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.key_limits
    ADD CONSTRAINT key_limits_pkey PRIMARY KEY (tenant_id, key_id);
ALTER TABLE ONLY public.knowledge_versions
    ADD CONSTRAINT knowledge_versions_pkey PRIMARY KEY (tenant_id);
ALTER TABLE ONLY public.list_columns
    ADD CONSTRAINT list_columns_pkey PRIMARY KEY (tenant_id, party_kind, party_id, entity_type_slug);
ALTER TABLE ONLY public.live_watchers
    ADD CONSTRAINT live_watchers_pkey PRIMARY KEY (tenant_id, watcher);
ALTER TABLE ONLY public.marks
    ADD CONSTRAINT marks_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_email UNIQUE (tenant_id, email);
ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_pkey PRIMARY KEY (tenant_id, user_id);
ALTER TABLE ONLY public.otel_batches
    ADD CONSTRAINT otel_batches_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.otel_sources
    ADD CONSTRAINT otel_sources_pkey PRIMARY KEY (tenant_id, service, scope, sdk);
ALTER TABLE ONLY public.otel_trace_batches
    ADD CONSTRAINT otel_trace_batches_pkey PRIMARY KEY (tenant_id, trace_id, batch_id);
ALTER TABLE ONLY public.otel_traces
    ADD CONSTRAINT otel_traces_pkey PRIMARY KEY (tenant_id, trace_id);
ALTER TABLE ONLY public.parties
    ADD CONSTRAINT parties_pkey PRIMARY KEY (tenant_id, kind, id);
ALTER TABLE ONLY public.password_resets
    ADD CONSTRAINT password_resets_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.prompt_heads
    ADD CONSTRAINT prompt_heads_pkey PRIMARY KEY (tenant_id, scope_agent, scope_type);
ALTER TABLE ONLY public.prompt_manifest_rows
    ADD CONSTRAINT prompt_manifest_rows_pkey PRIMARY KEY (tenant_id, row_id, manifest);
ALTER TABLE ONLY public.prompt_manifests
    ADD CONSTRAINT prompt_manifests_pkey PRIMARY KEY (tenant_id, hash);
ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_pkey PRIMARY KEY (account_id, hash);
ALTER TABLE ONLY public.relation_scores
    ADD CONSTRAINT relation_scores_pkey PRIMARY KEY (tenant_id, relation_id, criteria_set_id);
ALTER TABLE ONLY public.request_counts
    ADD CONSTRAINT request_counts_pkey PRIMARY KEY (tenant_id, subject_id, process_id);
ALTER TABLE ONLY public.response_sources
    ADD CONSTRAINT response_sources_pkey PRIMARY KEY (tenant_id, response_id, ref);
ALTER TABLE ONLY public.run_usage
    ADD CONSTRAINT run_usage_pkey PRIMARY KEY (tenant_id, day, shard);
ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.saved_lists
    ADD CONSTRAINT saved_lists_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.schema_functions
    ADD CONSTRAINT schema_functions_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (version);
ALTER TABLE ONLY public.second_factors
    ADD CONSTRAINT second_factors_pkey PRIMARY KEY (account_id);
ALTER TABLE ONLY public.session_events
    ADD CONSTRAINT session_events_pkey PRIMARY KEY (tenant_id, session_id, seq);
ALTER TABLE ONLY public.session_events
    ADD CONSTRAINT session_events_tenant_id_session_id_id_key UNIQUE (tenant_id, session_id, id);
ALTER TABLE ONLY public.session_words
    ADD CONSTRAINT session_words_pkey PRIMARY KEY (tenant_id, session_id, word);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_tenant_id_external_id_key UNIQUE (tenant_id, external_id);
ALTER TABLE ONLY public.shared_context_citations
    ADD CONSTRAINT shared_context_citations_pkey PRIMARY KEY (tenant_id, row_id, session_id);
ALTER TABLE ONLY public.shared_context_groups
    ADD CONSTRAINT shared_context_groups_pkey PRIMARY KEY (tenant_id, row_id, group_id);
ALTER TABLE ONLY public.shared_context_history
    ADD CONSTRAINT shared_context_history_pkey PRIMARY KEY (tenant_id, row_id, seq);
ALTER TABLE ONLY public.shared_context_kept
    ADD CONSTRAINT shared_context_kept_pkey PRIMARY KEY (tenant_id, row_id, other_id);
ALTER TABLE ONLY public.shared_context
    ADD CONSTRAINT shared_context_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.shared_context_support
    ADD CONSTRAINT shared_context_support_pkey PRIMARY KEY (tenant_id, row_id, feedback_id);
ALTER TABLE ONLY public.shared_context_values
    ADD CONSTRAINT shared_context_values_pkey PRIMARY KEY (tenant_id, row_id, experiment_id);
ALTER TABLE ONLY public.shared_context_words
    ADD CONSTRAINT shared_context_words_pkey PRIMARY KEY (tenant_id, row_id, word);
ALTER TABLE ONLY public.sign_in_attempts
    ADD CONSTRAINT sign_in_attempts_pkey PRIMARY KEY (subject);
ALTER TABLE ONLY public.sign_in_requests
    ADD CONSTRAINT sign_in_requests_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.sign_in_sessions
    ADD CONSTRAINT sign_in_sessions_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.storage_measures
    ADD CONSTRAINT storage_measures_pkey PRIMARY KEY (tenant_id);
ALTER TABLE ONLY public.tasks
    ADD CONSTRAINT tasks_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.tenants
    ADD CONSTRAINT tenants_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.tenants
    ADD CONSTRAINT tenants_slug_key UNIQUE (slug);
ALTER TABLE ONLY public.user_memories
    ADD CONSTRAINT user_memories_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.views
    ADD CONSTRAINT views_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.views
    ADD CONSTRAINT views_tenant_id_slug_key UNIQUE (tenant_id, slug);
ALTER TABLE ONLY public.webhook_attempts
    ADD CONSTRAINT webhook_attempts_pkey PRIMARY KEY (tenant_id, delivery_id, number);
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_tenant_id_endpoint_id_event_id_key UNIQUE (tenant_id, endpoint_id, event_id);
ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.workspace_settings
    ADD CONSTRAINT workspace_settings_pkey PRIMARY KEY (tenant_id, section);
CREATE INDEX archives_expiring ON public.archives USING btree (tenant_id, expires_at) WHERE (removed_at IS NULL);
CREATE INDEX artifact_eval_failures_urgent ON public.artifact_eval_failures USING btree (tenant_id, run_id, dimension, urgency, entity_id);
CREATE INDEX artifact_eval_results_entity ON public.artifact_eval_results USING btree (tenant_id, entity_id);
CREATE INDEX artifact_eval_results_urgent ON public.artifact_eval_results USING btree (tenant_id, run_id, urgency, entity_id);
CREATE INDEX chain_items_newest ON public.chain_items USING btree (tenant_id, created_at, id);
CREATE INDEX chain_items_of_retraction ON public.chain_items USING btree (tenant_id, retraction_id, created_at, id);
CREATE INDEX chain_items_ref ON public.chain_items USING btree (tenant_id, ref, created_at, id);
CREATE INDEX chain_items_waiting ON public.chain_items USING btree (tenant_id, created_at, id) WHERE waits;
CREATE UNIQUE INDEX chain_retractions_in_force ON public.chain_retractions USING btree (tenant_id, ref) WHERE (undone_at IS NULL);
CREATE INDEX chain_retractions_newest ON public.chain_retractions USING btree (tenant_id, created_at, id);
CREATE INDEX conv_messages_of_turn_and_user ON public.conv_messages USING btree (tenant_id, project, conversation_id, turn_id, end_user, by_member);
CREATE INDEX conv_reactions_by_kind ON public.conv_messages USING btree (tenant_id, project, conversation_id, origin, reaction) WHERE ((counted_from IS NOT NULL) AND (counted_until IS NULL));
CREATE INDEX conv_reactions_counted ON public.conv_messages USING btree (tenant_id, ts) INCLUDE (project, agent, origin, reaction, by_member) WHERE ((counted_from IS NOT NULL) AND (counted_until IS NULL));
CREATE INDEX conv_reactions_in_time ON public.conv_messages USING btree (tenant_id, project, ts, id) WHERE (counted_from IS NOT NULL);
CREATE INDEX conv_reactions_of_conversation ON public.conv_messages USING btree (tenant_id, project, conversation_id, ts, id) WHERE (counted_from IS NOT NULL);
CREATE INDEX conv_reactions_of_members ON public.conv_messages USING btree (tenant_id, project, ts, id) WHERE ((counted_from IS NOT NULL) AND by_member);
CREATE UNIQUE INDEX conv_reactions_one_of_message ON public.conv_messages USING btree (tenant_id, project, source_conversation_id, source_turn_id) WHERE ((origin = 'machine'::text) AND (state <> 'cleared'::text));
CREATE UNIQUE INDEX conv_reactions_one_of_user ON public.conv_messages USING btree (tenant_id, project, conversation_id, turn_id, end_user, by_member) WHERE ((origin = 'user'::text) AND (state = 'active'::text));
CREATE INDEX conv_reactions_unsettled ON public.conv_messages USING btree (tenant_id, ts, id) WHERE (state = 'unsettled'::text);
CREATE INDEX conv_turns_in_order ON public.conv_turns USING btree (tenant_id, project, conversation_id, ts, seq);
CREATE INDEX conv_turns_log_waits ON public.conv_turns USING btree (tenant_id, project, conversation_id) WHERE (turn_log IS NOT NULL);
CREATE INDEX conv_turns_of_user ON public.conv_turns USING btree (tenant_id, project, user_id, ts) WHERE (user_id IS NOT NULL);
CREATE INDEX conv_turns_session ON public.conv_turns USING btree (tenant_id, session_id, ts, seq) WHERE (session_id IS NOT NULL);
CREATE INDEX conv_turns_user ON public.conv_turns USING btree (tenant_id, user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX conversation_words_word ON public.conversation_words USING btree (tenant_id, word, project, conversation_id);
CREATE INDEX conversations_of_agent ON public.conversations USING btree (tenant_id, agent, last_activity_at, project, id) WHERE (agent IS NOT NULL);
CREATE INDEX conversations_of_agent_id ON public.conversations USING btree (tenant_id, agent_id, last_activity_at, project, id) WHERE (agent_id IS NOT NULL);
CREATE INDEX conversations_of_user ON public.conversations USING btree (tenant_id, user_id, last_activity_at, project, id) WHERE (user_id IS NOT NULL);
CREATE INDEX conversations_project_recent ON public.conversations USING btree (tenant_id, project, last_activity_at, id);
CREATE INDEX conversations_recent ON public.conversations USING btree (tenant_id, last_activity_at, project, id);
CREATE INDEX entities_score_down ON public.entities USING btree (tenant_id, COALESCE(score, '-Infinity'::double precision), id);
CREATE INDEX entities_score_up ON public.entities USING btree (tenant_id, COALESCE(score, 'Infinity'::double precision), id);
CREATE INDEX entities_title ON public.entities USING btree (tenant_id, title, id);
CREATE INDEX entities_type ON public.entities USING btree (tenant_id, type_id, id);
CREATE INDEX entities_type_score_down ON public.entities USING btree (tenant_id, type_id, COALESCE(score, '-Infinity'::double precision), id);
CREATE INDEX entities_type_score_up ON public.entities USING btree (tenant_id, type_id, COALESCE(score, 'Infinity'::double precision), id);
CREATE INDEX entities_type_title ON public.entities USING btree (tenant_id, type_id, title, id);
CREATE INDEX entities_type_updated ON public.entities USING btree (tenant_id, type_id, updated_at, id);
CREATE INDEX entities_updated ON public.entities USING btree (tenant_id, updated_at, id);
CREATE UNIQUE INDEX entity_field_history_field ON public.entity_field_history USING btree (tenant_id, entity_id, field, entity_version);
CREATE INDEX entity_field_history_response ON public.entity_field_history USING btree (tenant_id, response_id) WHERE (response_id IS NOT NULL);
CREATE INDEX entity_relations_field ON public.entity_relations USING btree (tenant_id, source_id, field_key, id);
CREATE INDEX entity_relations_source ON public.entity_relations USING btree (tenant_id, source_id, id);
CREATE INDEX entity_relations_target ON public.entity_relations USING btree (tenant_id, target_id, id);
CREATE INDEX entity_relations_target_field ON public.entity_relations USING btree (tenant_id, target_id, field_key, id);
CREATE INDEX entity_responses_agent ON public.entity_responses USING btree (tenant_id, submitted_by_agent, created_at, id) WHERE ((submitted_by_agent IS NOT NULL) AND (withdrawn_at IS NULL));
CREATE INDEX entity_responses_agent_status ON public.entity_responses USING btree (tenant_id, submitted_by_agent, status, created_at, id) WHERE ((submitted_by_agent IS NOT NULL) AND (withdrawn_at IS NULL));
CREATE INDEX entity_responses_all ON public.entity_responses USING btree (tenant_id, created_at, id) WHERE (withdrawn_at IS NULL);
CREATE INDEX entity_responses_assigned ON public.entity_responses USING btree (tenant_id, assigned_to, waits, created_at, id) WHERE (assigned_to IS NOT NULL);
CREATE INDEX entity_responses_entity ON public.entity_responses USING btree (tenant_id, entity_id, criteria_set_id, created_at, id) WHERE (withdrawn_at IS NULL);
CREATE INDEX entity_responses_newest ON public.entity_responses USING btree (tenant_id, entity_id, created_at, id);
CREATE INDEX entity_responses_parent ON public.entity_responses USING btree (tenant_id, parent_response_id) WHERE (parent_response_id IS NOT NULL);
CREATE INDEX entity_responses_rater ON public.entity_responses USING btree (tenant_id, entity_id, criteria_set_id, (
CASE
    WHEN (submitted_by_agent IS NOT NULL) THEN submitted_by_agent
    WHEN (submitted_by_user IS NOT NULL) THEN submitted_by_user
    ELSE '00000000-0000-0000-0000-000000000000'::uuid
END), ((submitted_by_agent IS NULL)), created_at DESC, id DESC) WHERE ((withdrawn_at IS NULL) AND (status <> 'rejected'::text));
CREATE INDEX entity_responses_set ON public.entity_responses USING btree (tenant_id, criteria_set_id, created_at, id) WHERE (withdrawn_at IS NULL);
CREATE INDEX entity_responses_status ON public.entity_responses USING btree (tenant_id, status, created_at, id) WHERE (withdrawn_at IS NULL);
CREATE INDEX entity_responses_type ON public.entity_responses USING btree (tenant_id, type_id, created_at, id) WHERE (withdrawn_at IS NULL);
CREATE INDEX entity_responses_user ON public.entity_responses USING btree (tenant_id, submitted_by_user, created_at, id) WHERE ((submitted_by_user IS NOT NULL) AND (withdrawn_at IS NULL));
CREATE INDEX entity_responses_waiting ON public.entity_responses USING btree (tenant_id, created_at, id) WHERE waits;
CREATE INDEX entity_responses_waiting_agent ON public.entity_responses USING btree (tenant_id, created_at, id) WHERE (waits AND (submitted_by_agent IS NOT NULL));
CREATE INDEX entity_responses_waiting_entity ON public.entity_responses USING btree (tenant_id, entity_id, created_at, id) WHERE waits;
CREATE INDEX entity_responses_waiting_of_agent ON public.entity_responses USING btree (tenant_id, submitted_by_agent, created_at, id) WHERE (waits AND (submitted_by_agent IS NOT NULL));
CREATE INDEX entity_responses_waiting_set ON public.entity_responses USING btree (tenant_id, criteria_set_id, created_at, id) WHERE waits;
CREATE INDEX entity_responses_waiting_type ON public.entity_responses USING btree (tenant_id, type_id, created_at, id) WHERE waits;
CREATE INDEX entity_words_entity ON public.entity_words USING btree (tenant_id, entity_id, word);
CREATE INDEX erasure_items_todo ON public.erasure_items USING btree (tenant_id, erasure_id, kind, place) WHERE (NOT done);
CREATE INDEX erasures_fingerprint ON public.erasures USING btree (tenant_id, fingerprint);
CREATE INDEX erasures_newest ON public.erasures USING btree (tenant_id, requested_at, id);
CREATE INDEX eval_experiments_confirmation ON public.eval_experiments USING btree (tenant_id, confirmation_id) WHERE (confirmation_id IS NOT NULL);
CREATE INDEX eval_experiments_newest ON public.eval_experiments USING btree (tenant_id, created_at, id);
CREATE INDEX eval_experiments_status ON public.eval_experiments USING btree (tenant_id, status, created_at, id);
CREATE UNIQUE INDEX eval_judge_labels_current ON public.eval_judge_labels USING btree (tenant_id, sample_id, replay_id, labelled_by) WHERE (NOT replaced);
CREATE INDEX eval_judge_labels_judge ON public.eval_judge_labels USING btree (tenant_id, judge_id, labelled_at, id);
CREATE INDEX eval_judge_labels_replay ON public.eval_judge_labels USING btree (tenant_id, replay_id);
CREATE INDEX eval_judge_licences_judge ON public.eval_judge_licences USING btree (tenant_id, judge_id, issued_at, id);
CREATE INDEX eval_judge_samples_judge ON public.eval_judge_samples USING btree (tenant_id, judge_id, created_at, id);
CREATE UNIQUE INDEX eval_judge_samples_open ON public.eval_judge_samples USING btree (tenant_id, judge_id) WHERE (state = 'open'::text);
CREATE INDEX eval_judge_samples_queue ON public.eval_judge_samples USING btree (tenant_id, created_at, id) WHERE (state = 'open'::text);
CREATE INDEX eval_judges_criteria_set ON public.eval_judges USING btree (tenant_id, criteria_set_id) WHERE (criteria_set_id IS NOT NULL);
CREATE INDEX eval_replays_failed ON public.eval_replays USING btree (tenant_id, golden_id, agent_id, id) WHERE (outcome = 'failed'::text);
CREATE INDEX eval_replays_golden ON public.eval_replays USING btree (tenant_id, golden_id, agent_id, agent_version, revision, mode, context, ended_at, id) WHERE (state = 'compared'::text);
CREATE INDEX eval_replays_judge ON public.eval_replays USING btree (tenant_id, judge_id, judged_at, id) INCLUDE (rubric_passed) WHERE (judge_id IS NOT NULL);
CREATE INDEX eval_replays_open ON public.eval_replays USING btree (tenant_id, golden_id, run_id) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX eval_replays_passed ON public.eval_replays USING btree (tenant_id, golden_id, revision, ended_at, id) WHERE (outcome = 'passed'::text);
CREATE INDEX eval_replays_run ON public.eval_replays USING btree (tenant_id, run_id, id);
CREATE INDEX eval_replays_state ON public.eval_replays USING btree (tenant_id, run_id, state, id);
CREATE INDEX eval_runs_agent ON public.eval_runs USING btree (tenant_id, agent_id, created_at, id);
CREATE INDEX eval_runs_floor ON public.eval_runs USING btree (tenant_id, golden_id, created_at, id) WHERE (kind = 'floor'::text);
CREATE INDEX eval_runs_kind ON public.eval_runs USING btree (tenant_id, kind, created_at, id);
CREATE INDEX eval_runs_newest ON public.eval_runs USING btree (tenant_id, created_at, id);
CREATE INDEX eval_runs_set ON public.eval_runs USING btree (tenant_id, set_id, created_at, id) WHERE (set_id IS NOT NULL);
CREATE INDEX eval_runs_set_kind ON public.eval_runs USING btree (tenant_id, set_id, kind, created_at, id) WHERE (set_id IS NOT NULL);
CREATE INDEX eval_runs_status ON public.eval_runs USING btree (tenant_id, status, created_at, id);
CREATE INDEX eval_runs_trend ON public.eval_runs USING btree (tenant_id, set_id, agent_id, created_at, id) WHERE ((status = 'completed'::text) AND (kind = 'run'::text));
CREATE INDEX eval_runs_verdict ON public.eval_runs USING btree (tenant_id, verdict, created_at, id) WHERE (verdict IS NOT NULL);
CREATE INDEX eval_runs_waits ON public.eval_runs USING btree (tenant_id, created_at, id) WHERE waits;
CREATE INDEX events_actor ON public.events USING btree (tenant_id, actor_kind, actor_id, created_at, id);
CREATE INDEX events_address ON public.events USING btree (tenant_id, address, created_at, id) WHERE (address IS NOT NULL);
CREATE INDEX events_key ON public.events USING btree (tenant_id, key_id, created_at, id) WHERE (key_id IS NOT NULL);
CREATE INDEX events_name ON public.events USING btree (tenant_id, name, created_at, id);
CREATE INDEX events_recent ON public.events USING btree (tenant_id, created_at, id);
CREATE INDEX events_subject ON public.events USING btree (tenant_id, subject_id, created_at, id);
CREATE INDEX feedback_agent ON public.feedback USING btree (tenant_id, agent_id, created_at, id) WHERE (agent_id IS NOT NULL);
CREATE INDEX feedback_alone ON public.feedback USING btree (tenant_id, block, created_at, id) WHERE ((group_id IS NULL) AND (placed_at IS NOT NULL) AND (block IS NOT NULL));
CREATE INDEX feedback_by_agent ON public.feedback USING btree (tenant_id, created_by_id, created_at, id) WHERE ((created_by_kind = 'agent'::text) AND (end_user IS NULL));
CREATE INDEX feedback_compared ON public.feedback USING btree (tenant_id, block, created_at, id) WHERE (embedding_model IS NOT NULL);
CREATE INDEX feedback_complaints ON public.feedback USING btree (tenant_id, created_at, id) WHERE ((rating = 'negative'::text) AND (status = 'pending'::text) AND (agent_id IS NOT NULL) AND (source_type = ANY (ARRAY['response'::text, 'session'::text])) AND (source_key !~~ 'replay:%'::text));
CREATE INDEX feedback_conversation ON public.feedback USING btree (tenant_id, project, conversation_id, created_at, id) WHERE (conversation_id IS NOT NULL);
CREATE INDEX feedback_copies ON public.feedback USING btree (tenant_id, block, masked) WHERE (masked IS NOT NULL);
CREATE INDEX feedback_decided ON public.feedback USING btree (tenant_id, decision_id, id) WHERE (decision_id IS NOT NULL);
CREATE INDEX feedback_decisions_into ON public.feedback_decisions USING btree (tenant_id, other_id) WHERE (kind = 'merge'::text);
CREATE INDEX feedback_decisions_labels ON public.feedback_decisions USING btree (tenant_id, decided_at) WHERE (similarity IS NOT NULL);
CREATE INDEX feedback_decisions_of_group ON public.feedback_decisions USING btree (tenant_id, group_id, decided_at, id);
CREATE INDEX feedback_decisions_taken_back ON public.feedback_decisions USING btree (tenant_id, takes_back) WHERE (takes_back IS NOT NULL);
CREATE INDEX feedback_entity ON public.feedback USING btree (tenant_id, entity_id, created_at, id) WHERE (entity_id IS NOT NULL);
CREATE INDEX feedback_entity_type ON public.feedback USING btree (tenant_id, entity_type, created_at, id) WHERE (entity_type IS NOT NULL);
CREATE INDEX feedback_group ON public.feedback USING btree (tenant_id, group_id, created_at, id) WHERE (group_id IS NOT NULL);
CREATE INDEX feedback_groups_dismissed ON public.feedback_groups USING btree (tenant_id, decided_at) WHERE ((state = 'dismissed'::text) AND (centroid IS NOT NULL));
CREATE INDEX feedback_groups_in_order ON public.feedback_groups USING btree (tenant_id, state, proposed, weight, id);
CREATE INDEX feedback_groups_merged ON public.feedback_groups USING btree (tenant_id, merged_into) WHERE (merged_into IS NOT NULL);
CREATE INDEX feedback_groups_of_block ON public.feedback_groups USING btree (tenant_id, block, created_at, id);
CREATE INDEX feedback_groups_waiting ON public.feedback_groups USING btree (tenant_id, weight, id) WHERE (proposed AND (state = 'open'::text) AND (pending > 0));
CREATE INDEX feedback_moves_of_feedback ON public.feedback_moves USING btree (tenant_id, feedback_id);
CREATE INDEX feedback_near ON public.feedback USING btree (tenant_id, near_group_id, created_at, id) WHERE (near_group_id IS NOT NULL);
CREATE INDEX feedback_newest ON public.feedback USING btree (tenant_id, created_at, id) INCLUDE (source_type, rating);
CREATE INDEX feedback_origin ON public.feedback USING btree (tenant_id, origin_actor, origin_artefact, created_at, id);
CREATE INDEX feedback_own ON public.feedback USING btree (tenant_id, created_by, created_at, id) WHERE (created_by IS NOT NULL);
CREATE INDEX feedback_rating ON public.feedback USING btree (tenant_id, rating, created_at, id);
CREATE INDEX feedback_replaced ON public.feedback USING btree (tenant_id, replaced_by) WHERE (replaced_by IS NOT NULL);
CREATE INDEX feedback_response ON public.feedback USING btree (tenant_id, response_id, created_at, id) WHERE (response_id IS NOT NULL);
CREATE INDEX feedback_session ON public.feedback USING btree (tenant_id, session_id, created_at, id) WHERE (session_id IS NOT NULL);
CREATE INDEX feedback_source ON public.feedback USING btree (tenant_id, source_type, created_at, id) WHERE (source_type <> 'chat'::text);
CREATE INDEX feedback_status ON public.feedback USING btree (tenant_id, status, created_at, id);
CREATE INDEX feedback_to_compare ON public.feedback USING btree (tenant_id, created_at, id) WHERE (embedding_model IS NOT NULL);
CREATE INDEX feedback_unplaced ON public.feedback USING btree (tenant_id, created_at, id) WHERE (placed_at IS NULL);
CREATE INDEX feedback_words_word ON public.feedback_words USING btree (tenant_id, word, feedback_id);
CREATE INDEX golden_alternatives_session ON public.golden_alternatives USING btree (tenant_id, session_id);
CREATE INDEX goldens_criteria_set ON public.goldens USING btree (tenant_id, criteria_set_id) WHERE (criteria_set_id IS NOT NULL);
CREATE INDEX goldens_newest ON public.goldens USING btree (tenant_id, promoted_at, session_id);
CREATE INDEX goldens_set ON public.goldens USING btree (tenant_id, set_id, promoted_at, session_id);
CREATE INDEX idempotency_keys_age ON public.idempotency_keys USING btree (tenant_id, created_at);
CREATE INDEX identities_account ON public.identities USING btree (account_id);
CREATE INDEX invites_member ON public.invites USING btree (tenant_id, user_id);
CREATE INDEX list_columns_type ON public.list_columns USING btree (tenant_id, entity_type_slug);
CREATE INDEX marks_due ON public.marks USING btree (kind, tenant_id, due_at);
CREATE INDEX marks_key ON public.marks USING btree (tenant_id, kind, key);
CREATE INDEX marks_leased ON public.marks USING btree (kind, leased_until) WHERE (leased_until IS NOT NULL);
CREATE INDEX memberships_account ON public.memberships USING btree (account_id);
CREATE INDEX otel_batches_received ON public.otel_batches USING brin (received_at);
CREATE INDEX otel_batches_unspread ON public.otel_batches USING btree (tenant_id, received_at) WHERE (NOT is_spread);
CREATE INDEX otel_trace_batches_batch ON public.otel_trace_batches USING btree (tenant_id, batch_id);
CREATE INDEX otel_traces_session ON public.otel_traces USING btree (tenant_id, session_id, ended_at) WHERE (session_id IS NOT NULL);
CREATE INDEX password_resets_account ON public.password_resets USING btree (account_id);
CREATE INDEX password_resets_member ON public.password_resets USING btree (tenant_id, user_id);
CREATE INDEX relation_scores_ranked ON public.relation_scores USING btree (tenant_id, source_id, field_key, criteria_set_id, score, relation_id);
CREATE INDEX relation_scores_set ON public.relation_scores USING btree (tenant_id, criteria_set_id);
CREATE INDEX response_sources_ref ON public.response_sources USING btree (tenant_id, ref, response_id);
CREATE INDEX runs_job ON public.runs USING btree (tenant_id, job_id);
CREATE INDEX runs_newest ON public.runs USING btree (tenant_id, kind, subject, created_at, id);
CREATE UNIQUE INDEX runs_open ON public.runs USING btree (tenant_id, kind, subject) WHERE (exclusive AND (status = ANY (ARRAY['queued'::text, 'running'::text])));
CREATE INDEX saved_lists_own ON public.saved_lists USING btree (tenant_id, created_by_kind, created_by_id, name, id) WHERE (NOT shared);
CREATE INDEX saved_lists_shared ON public.saved_lists USING btree (tenant_id, name, id) WHERE shared;
CREATE INDEX saved_lists_type ON public.saved_lists USING btree (tenant_id, entity_type_slug);
CREATE INDEX session_events_blob ON public.session_events USING btree (tenant_id, blob) WHERE (blob IS NOT NULL);
CREATE INDEX session_words_word ON public.session_words USING btree (tenant_id, word, session_id);
CREATE INDEX sessions_agent ON public.sessions USING btree (tenant_id, agent_id, created_at, id) WHERE (agent_id IS NOT NULL);
CREATE INDEX sessions_agent_version ON public.sessions USING btree (tenant_id, agent_id, agent_version, created_at, id) WHERE ((agent_id IS NOT NULL) AND (purpose <> 'replay'::text) AND (purpose <> 'judging'::text));
CREATE INDEX sessions_agent_work ON public.sessions USING btree (tenant_id, agent_id, created_at, id) WHERE ((agent_id IS NOT NULL) AND (purpose <> 'replay'::text) AND (purpose <> 'judging'::text));
CREATE INDEX sessions_attention ON public.sessions USING btree (tenant_id, status, created_at, id) WHERE ((status = ANY (ARRAY['waiting'::text, 'stalled'::text, 'failed'::text])) AND (dismissed_at IS NULL));
CREATE INDEX sessions_conversation ON public.sessions USING btree (tenant_id, project, conversation_id, created_at, id) WHERE (conversation_id IS NOT NULL);
CREATE INDEX sessions_entity ON public.sessions USING btree (tenant_id, entity_id, created_at, id) WHERE (entity_id IS NOT NULL);
CREATE INDEX sessions_entity_work ON public.sessions USING btree (tenant_id, entity_id, created_at, id) WHERE ((entity_id IS NOT NULL) AND (purpose <> 'replay'::text) AND (purpose <> 'judging'::text));
CREATE INDEX sessions_golden ON public.sessions USING btree (tenant_id, created_at, id) WHERE (metadata ? 'golden'::text);
CREATE INDEX sessions_manifest ON public.sessions USING btree (tenant_id, manifest, created_at, id) WHERE (manifest IS NOT NULL);
CREATE INDEX sessions_newest ON public.sessions USING btree (tenant_id, created_at, id);
CREATE INDEX sessions_parent ON public.sessions USING btree (tenant_id, parent_session_id, created_at, id) WHERE (parent_session_id IS NOT NULL);
CREATE INDEX sessions_source ON public.sessions USING btree (tenant_id, source, created_at, id);
CREATE INDEX sessions_status ON public.sessions USING btree (tenant_id, status, created_at, id);
CREATE INDEX sessions_task ON public.sessions USING btree (tenant_id, task_id, created_at, id) WHERE (task_id IS NOT NULL);
CREATE INDEX sessions_type ON public.sessions USING btree (tenant_id, type, created_at, id);
CREATE INDEX sessions_user ON public.sessions USING btree (tenant_id, ((metadata ->> 'user_id'::text))) WHERE (metadata ? 'user_id'::text);
CREATE INDEX sessions_work ON public.sessions USING btree (tenant_id, created_at, id) WHERE ((purpose <> 'replay'::text) AND (purpose <> 'judging'::text));
CREATE INDEX shared_context_agent ON public.shared_context USING btree (tenant_id, agent_id, created_at, id) WHERE (agent_id IS NOT NULL);
CREATE INDEX shared_context_author ON public.shared_context USING btree (tenant_id, created_by_user_id, created_at, id) WHERE (created_by_user_id IS NOT NULL);
CREATE INDEX shared_context_citations_session ON public.shared_context_citations USING btree (tenant_id, session_id);
CREATE INDEX shared_context_entity_type ON public.shared_context USING btree (tenant_id, entity_type_id, created_at, id) WHERE (entity_type_id IS NOT NULL);
CREATE INDEX shared_context_everywhere ON public.shared_context USING btree (tenant_id, created_at, id) WHERE ((agent_id IS NULL) AND (entity_type_id IS NULL));
CREATE INDEX shared_context_group ON public.shared_context USING btree (tenant_id, group_id, created_at, id) WHERE (group_id IS NOT NULL);
CREATE INDEX shared_context_groups_group ON public.shared_context_groups USING btree (tenant_id, group_id, row_id);
CREATE INDEX shared_context_kept_other ON public.shared_context_kept USING btree (tenant_id, other_id);
CREATE INDEX shared_context_measured ON public.shared_context USING btree (tenant_id, id) WHERE (value IS NOT NULL);
CREATE INDEX shared_context_newest ON public.shared_context USING btree (tenant_id, created_at, id);
CREATE INDEX shared_context_prompt ON public.shared_context USING btree (tenant_id, scope_agent, scope_type, type, rank DESC, id) WHERE active;
CREATE INDEX shared_context_shadow ON public.shared_context USING btree (tenant_id, scope_agent, scope_type) WHERE (state = 'shadow'::text);
CREATE INDEX shared_context_source ON public.shared_context USING btree (tenant_id, source_feedback_id) WHERE (source_feedback_id IS NOT NULL);
CREATE INDEX shared_context_stale ON public.shared_context USING btree (tenant_id, id) WHERE rank_stale;
CREATE INDEX shared_context_state ON public.shared_context USING btree (tenant_id, state, created_at, id);
CREATE INDEX shared_context_support_feedback ON public.shared_context_support USING btree (tenant_id, feedback_id, row_id);
CREATE INDEX shared_context_support_origin ON public.shared_context_support USING btree (tenant_id, origin_actor, origin_artefact, row_id);
CREATE INDEX shared_context_type ON public.shared_context USING btree (tenant_id, type, created_at, id);
CREATE INDEX shared_context_type_state ON public.shared_context USING btree (tenant_id, type, state, created_at, id);
CREATE INDEX shared_context_unread ON public.shared_context USING btree (tenant_id, id) WHERE (embedding_model IS NULL);
CREATE INDEX shared_context_values_newest ON public.shared_context_values USING btree (tenant_id, row_id, measured_at, experiment_id);
CREATE INDEX shared_context_waits ON public.shared_context USING btree (tenant_id, created_at, id) WHERE waits;
CREATE INDEX shared_context_words_word ON public.shared_context_words USING btree (tenant_id, word, row_id);
CREATE INDEX sign_in_requests_expires ON public.sign_in_requests USING btree (expires_at);
CREATE INDEX sign_in_sessions_expires ON public.sign_in_sessions USING btree (expires_at);
CREATE UNIQUE INDEX sign_in_sessions_id ON public.sign_in_sessions USING btree (id);
CREATE INDEX sign_in_sessions_user ON public.sign_in_sessions USING btree (user_id);
CREATE INDEX tasks_job ON public.tasks USING btree (tenant_id, job_id) WHERE (job_id IS NOT NULL);
CREATE INDEX tasks_newest ON public.tasks USING btree (tenant_id, created_at, id);
CREATE INDEX tasks_problem ON public.tasks USING btree (tenant_id, id) WHERE ((problem IS NOT NULL) AND enabled);
CREATE INDEX user_memories_newest ON public.user_memories USING btree (tenant_id, user_id, created_at, id);
CREATE UNIQUE INDEX users_email_password ON public.users USING btree (email, password_hash);
CREATE INDEX users_made_in ON public.users USING btree (made_in);
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (tenant_id, endpoint_id, next_at, event_at, event_id) WHERE (status = 'waiting'::text);
CREATE INDEX webhook_deliveries_event ON public.webhook_deliveries USING btree (tenant_id, event_id);
CREATE INDEX webhook_deliveries_newest ON public.webhook_deliveries USING btree (tenant_id, endpoint_id, created_at, id);
CREATE INDEX webhook_deliveries_old ON public.webhook_deliveries USING btree (tenant_id, created_at);
CREATE INDEX webhook_deliveries_status ON public.webhook_deliveries USING btree (tenant_id, endpoint_id, status, created_at, id);
CREATE INDEX webhook_deliveries_subject ON public.webhook_deliveries USING btree (tenant_id, endpoint_id, subject_id, event_at, event_id) WHERE (status = 'waiting'::text);
ALTER TABLE ONLY public.agent_secrets
    ADD CONSTRAINT agent_secrets_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.agent_versions
    ADD CONSTRAINT agent_versions_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.agents
    ADD CONSTRAINT agents_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.api_key_hashes
    ADD CONSTRAINT api_key_hashes_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_tenant_id_agent_id_fkey FOREIGN KEY (tenant_id, agent_id) REFERENCES public.agents(tenant_id, id);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.archives
    ADD CONSTRAINT archives_tenant_id_id_fkey FOREIGN KEY (tenant_id, id) REFERENCES public.runs(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.artifact_eval_failures
    ADD CONSTRAINT artifact_eval_failures_tenant_id_run_id_entity_id_fkey FOREIGN KEY (tenant_id, run_id, entity_id) REFERENCES public.artifact_eval_results(tenant_id, run_id, entity_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.artifact_eval_results
    ADD CONSTRAINT artifact_eval_results_tenant_id_entity_id_fkey FOREIGN KEY (tenant_id, entity_id) REFERENCES public.entities(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.artifact_eval_results
    ADD CONSTRAINT artifact_eval_results_tenant_id_run_id_fkey FOREIGN KEY (tenant_id, run_id) REFERENCES public.artifact_eval_runs(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.artifact_eval_runs
    ADD CONSTRAINT artifact_eval_runs_run FOREIGN KEY (tenant_id, id) REFERENCES public.runs(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.chain_items
    ADD CONSTRAINT chain_items_tenant_id_retraction_id_fkey FOREIGN KEY (tenant_id, retraction_id) REFERENCES public.chain_retractions(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.chain_retractions
    ADD CONSTRAINT chain_retractions_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.conv_messages
    ADD CONSTRAINT conv_messages_tenant_id_project_conversation_id_turn_id_fkey FOREIGN KEY (tenant_id, project, conversation_id, turn_id) REFERENCES public.conv_turns(tenant_id, project, conversation_id, turn_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.conv_turns
    ADD CONSTRAINT conv_turns_tenant_id_project_conversation_id_fkey FOREIGN KEY (tenant_id, project, conversation_id) REFERENCES public.conversations(tenant_id, project, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.conversation_words
    ADD CONSTRAINT conversation_words_tenant_id_project_conversation_id_fkey FOREIGN KEY (tenant_id, project, conversation_id) REFERENCES public.conversations(tenant_id, project, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.conversations
    ADD CONSTRAINT conversations_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.criteria_sets
    ADD CONSTRAINT criteria_sets_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.entities
    ADD CONSTRAINT entities_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.entities
    ADD CONSTRAINT entities_tenant_id_type_id_fkey FOREIGN KEY (tenant_id, type_id) REFERENCES public.entity_types(tenant_id, id);
ALTER TABLE ONLY public.entity_field_history
    ADD CONSTRAINT entity_field_history_tenant_id_entity_id_fkey FOREIGN KEY (tenant_id, entity_id) REFERENCES public.entities(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.entity_field_history
    ADD CONSTRAINT entity_field_history_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.entity_field_history
    ADD CONSTRAINT entity_field_history_tenant_id_response_id_fkey FOREIGN KEY (tenant_id, response_id) REFERENCES public.entity_responses(tenant_id, id);
ALTER TABLE ONLY public.entity_field_sources
    ADD CONSTRAINT entity_field_sources_tenant_id_entity_id_fkey FOREIGN KEY (tenant_id, entity_id) REFERENCES public.entities(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.entity_field_sources
    ADD CONSTRAINT entity_field_sources_tenant_id_history_id_fkey FOREIGN KEY (tenant_id, history_id) REFERENCES public.entity_field_history(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.entity_relations
    ADD CONSTRAINT entity_relations_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.entity_relations
    ADD CONSTRAINT entity_relations_tenant_id_source_id_fkey FOREIGN KEY (tenant_id, source_id) REFERENCES public.entities(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.entity_relations
    ADD CONSTRAINT entity_relations_tenant_id_target_id_fkey FOREIGN KEY (tenant_id, target_id) REFERENCES public.entities(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.entity_responses
    ADD CONSTRAINT entity_responses_tenant_id_criteria_set_id_fkey FOREIGN KEY (tenant_id, criteria_set_id) REFERENCES public.criteria_sets(tenant_id, id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.entity_responses
    ADD CONSTRAINT entity_responses_tenant_id_entity_id_fkey FOREIGN KEY (tenant_id, entity_id) REFERENCES public.entities(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.entity_responses
    ADD CONSTRAINT entity_responses_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.entity_responses
    ADD CONSTRAINT entity_responses_tenant_id_parent_response_id_fkey FOREIGN KEY (tenant_id, parent_response_id) REFERENCES public.entity_responses(tenant_id, id) DEFERRABLE;
ALTER TABLE ONLY public.entity_types
    ADD CONSTRAINT entity_types_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.entity_words
    ADD CONSTRAINT entity_words_tenant_id_entity_id_fkey FOREIGN KEY (tenant_id, entity_id) REFERENCES public.entities(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.erasure_blocks
    ADD CONSTRAINT erasure_blocks_tenant_id_erasure_id_fkey FOREIGN KEY (tenant_id, erasure_id) REFERENCES public.erasures(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.erasure_items
    ADD CONSTRAINT erasure_items_tenant_id_erasure_id_fkey FOREIGN KEY (tenant_id, erasure_id) REFERENCES public.erasures(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.erasures
    ADD CONSTRAINT erasures_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.erasures
    ADD CONSTRAINT erasures_tenant_id_id_fkey FOREIGN KEY (tenant_id, id) REFERENCES public.runs(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.eval_experiments
    ADD CONSTRAINT eval_experiments_tenant_id_id_fkey FOREIGN KEY (tenant_id, id) REFERENCES public.eval_runs(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.eval_judge_labels
    ADD CONSTRAINT eval_judge_labels_tenant_id_replay_id_fkey FOREIGN KEY (tenant_id, replay_id) REFERENCES public.eval_replays(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.eval_judge_labels
    ADD CONSTRAINT eval_judge_labels_tenant_id_sample_id_fkey FOREIGN KEY (tenant_id, sample_id) REFERENCES public.eval_judge_samples(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.eval_judge_licences
    ADD CONSTRAINT eval_judge_licences_tenant_id_judge_id_fkey FOREIGN KEY (tenant_id, judge_id) REFERENCES public.eval_judges(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.eval_judge_sampled
    ADD CONSTRAINT eval_judge_sampled_tenant_id_replay_id_fkey FOREIGN KEY (tenant_id, replay_id) REFERENCES public.eval_replays(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.eval_judge_sampled
    ADD CONSTRAINT eval_judge_sampled_tenant_id_sample_id_fkey FOREIGN KEY (tenant_id, sample_id) REFERENCES public.eval_judge_samples(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.eval_judge_samples
    ADD CONSTRAINT eval_judge_samples_tenant_id_judge_id_fkey FOREIGN KEY (tenant_id, judge_id) REFERENCES public.eval_judges(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.eval_judges
    ADD CONSTRAINT eval_judges_tenant_id_criteria_set_id_fkey FOREIGN KEY (tenant_id, criteria_set_id) REFERENCES public.criteria_sets(tenant_id, id) ON DELETE SET NULL (criteria_set_id);
ALTER TABLE ONLY public.eval_judges
    ADD CONSTRAINT eval_judges_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.eval_replays
    ADD CONSTRAINT eval_replays_tenant_id_run_id_fkey FOREIGN KEY (tenant_id, run_id) REFERENCES public.eval_runs(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.eval_runs
    ADD CONSTRAINT eval_runs_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.feedback_decisions
    ADD CONSTRAINT feedback_decisions_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.feedback_group_reviews
    ADD CONSTRAINT feedback_group_reviews_tenant_id_group_id_fkey FOREIGN KEY (tenant_id, group_id) REFERENCES public.feedback_groups(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.feedback_grouping
    ADD CONSTRAINT feedback_grouping_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.feedback_groups
    ADD CONSTRAINT feedback_groups_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.feedback_moves
    ADD CONSTRAINT feedback_moves_tenant_id_feedback_id_fkey FOREIGN KEY (tenant_id, feedback_id) REFERENCES public.feedback(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.feedback
    ADD CONSTRAINT feedback_tenant_id_entity_id_fkey FOREIGN KEY (tenant_id, entity_id) REFERENCES public.entities(tenant_id, id) ON DELETE SET NULL (entity_id);
ALTER TABLE ONLY public.feedback
    ADD CONSTRAINT feedback_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.feedback
    ADD CONSTRAINT feedback_tenant_id_session_id_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES public.sessions(tenant_id, id) ON DELETE SET NULL (session_id);
ALTER TABLE ONLY public.feedback_words
    ADD CONSTRAINT feedback_words_tenant_id_feedback_id_fkey FOREIGN KEY (tenant_id, feedback_id) REFERENCES public.feedback(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.golden_alternatives
    ADD CONSTRAINT golden_alternatives_tenant_id_golden_id_fkey FOREIGN KEY (tenant_id, golden_id) REFERENCES public.goldens(tenant_id, session_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.golden_alternatives
    ADD CONSTRAINT golden_alternatives_tenant_id_session_id_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES public.sessions(tenant_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.golden_sets
    ADD CONSTRAINT golden_sets_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.goldens
    ADD CONSTRAINT goldens_tenant_id_criteria_set_id_fkey FOREIGN KEY (tenant_id, criteria_set_id) REFERENCES public.criteria_sets(tenant_id, id) ON DELETE SET NULL (criteria_set_id);
ALTER TABLE ONLY public.goldens
    ADD CONSTRAINT goldens_tenant_id_session_id_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES public.sessions(tenant_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.goldens
    ADD CONSTRAINT goldens_tenant_id_set_id_fkey FOREIGN KEY (tenant_id, set_id) REFERENCES public.golden_sets(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.identities
    ADD CONSTRAINT identities_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.invites
    ADD CONSTRAINT invites_member FOREIGN KEY (tenant_id, user_id) REFERENCES public.memberships(tenant_id, user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.invites
    ADD CONSTRAINT invites_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.key_limits
    ADD CONSTRAINT key_limits_tenant_id_key_id_fkey FOREIGN KEY (tenant_id, key_id) REFERENCES public.api_keys(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.knowledge_versions
    ADD CONSTRAINT knowledge_versions_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.list_columns
    ADD CONSTRAINT list_columns_tenant_id_entity_type_slug_fkey FOREIGN KEY (tenant_id, entity_type_slug) REFERENCES public.entity_types(tenant_id, slug) ON DELETE CASCADE;
ALTER TABLE ONLY public.list_columns
    ADD CONSTRAINT list_columns_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.live_watchers
    ADD CONSTRAINT live_watchers_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.marks
    ADD CONSTRAINT marks_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.otel_batches
    ADD CONSTRAINT otel_batches_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.otel_sources
    ADD CONSTRAINT otel_sources_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.otel_trace_batches
    ADD CONSTRAINT otel_trace_batches_tenant_id_batch_id_fkey FOREIGN KEY (tenant_id, batch_id) REFERENCES public.otel_batches(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.otel_traces
    ADD CONSTRAINT otel_traces_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.parties
    ADD CONSTRAINT parties_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.password_resets
    ADD CONSTRAINT password_resets_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.password_resets
    ADD CONSTRAINT password_resets_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES public.memberships(tenant_id, user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.prompt_heads
    ADD CONSTRAINT prompt_heads_tenant_id_manifest_fkey FOREIGN KEY (tenant_id, manifest) REFERENCES public.prompt_manifests(tenant_id, hash) ON DELETE CASCADE;
ALTER TABLE ONLY public.prompt_manifest_rows
    ADD CONSTRAINT prompt_manifest_rows_tenant_id_manifest_fkey FOREIGN KEY (tenant_id, manifest) REFERENCES public.prompt_manifests(tenant_id, hash) ON DELETE CASCADE;
ALTER TABLE ONLY public.prompt_manifests
    ADD CONSTRAINT prompt_manifests_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.second_factors(account_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.relation_scores
    ADD CONSTRAINT relation_scores_tenant_id_criteria_set_id_fkey FOREIGN KEY (tenant_id, criteria_set_id) REFERENCES public.criteria_sets(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.relation_scores
    ADD CONSTRAINT relation_scores_tenant_id_relation_id_fkey FOREIGN KEY (tenant_id, relation_id) REFERENCES public.entity_relations(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.request_counts
    ADD CONSTRAINT request_counts_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.response_sources
    ADD CONSTRAINT response_sources_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.response_sources
    ADD CONSTRAINT response_sources_tenant_id_response_id_fkey FOREIGN KEY (tenant_id, response_id) REFERENCES public.entity_responses(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.run_usage
    ADD CONSTRAINT run_usage_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.saved_lists
    ADD CONSTRAINT saved_lists_tenant_id_entity_type_slug_fkey FOREIGN KEY (tenant_id, entity_type_slug) REFERENCES public.entity_types(tenant_id, slug) ON DELETE CASCADE;
ALTER TABLE ONLY public.saved_lists
    ADD CONSTRAINT saved_lists_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.second_factors
    ADD CONSTRAINT second_factors_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.session_events
    ADD CONSTRAINT session_events_tenant_id_session_id_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES public.sessions(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.session_words
    ADD CONSTRAINT session_words_tenant_id_session_id_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES public.sessions(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.shared_context_citations
    ADD CONSTRAINT shared_context_citations_tenant_id_row_id_fkey FOREIGN KEY (tenant_id, row_id) REFERENCES public.shared_context(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.shared_context_citations
    ADD CONSTRAINT shared_context_citations_tenant_id_session_id_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES public.sessions(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.shared_context_groups
    ADD CONSTRAINT shared_context_groups_tenant_id_row_id_fkey FOREIGN KEY (tenant_id, row_id) REFERENCES public.shared_context(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.shared_context_history
    ADD CONSTRAINT shared_context_history_tenant_id_row_id_fkey FOREIGN KEY (tenant_id, row_id) REFERENCES public.shared_context(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.shared_context_kept
    ADD CONSTRAINT shared_context_kept_tenant_id_other_id_fkey FOREIGN KEY (tenant_id, other_id) REFERENCES public.shared_context(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.shared_context_kept
    ADD CONSTRAINT shared_context_kept_tenant_id_row_id_fkey FOREIGN KEY (tenant_id, row_id) REFERENCES public.shared_context(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.shared_context_support
    ADD CONSTRAINT shared_context_support_tenant_id_feedback_id_fkey FOREIGN KEY (tenant_id, feedback_id) REFERENCES public.feedback(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.shared_context_support
    ADD CONSTRAINT shared_context_support_tenant_id_row_id_fkey FOREIGN KEY (tenant_id, row_id) REFERENCES public.shared_context(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.shared_context
    ADD CONSTRAINT shared_context_tenant_id_entity_type_id_fkey FOREIGN KEY (tenant_id, entity_type_id) REFERENCES public.entity_types(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.shared_context
    ADD CONSTRAINT shared_context_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.shared_context
    ADD CONSTRAINT shared_context_tenant_id_source_feedback_id_fkey FOREIGN KEY (tenant_id, source_feedback_id) REFERENCES public.feedback(tenant_id, id) ON DELETE SET NULL (source_feedback_id);
ALTER TABLE ONLY public.shared_context_values
    ADD CONSTRAINT shared_context_values_tenant_id_row_id_fkey FOREIGN KEY (tenant_id, row_id) REFERENCES public.shared_context(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.shared_context_words
    ADD CONSTRAINT shared_context_words_tenant_id_row_id_fkey FOREIGN KEY (tenant_id, row_id) REFERENCES public.shared_context(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sign_in_sessions
    ADD CONSTRAINT sign_in_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.storage_measures
    ADD CONSTRAINT storage_measures_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.tasks
    ADD CONSTRAINT tasks_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.user_memories
    ADD CONSTRAINT user_memories_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_made_in_fkey FOREIGN KEY (made_in) REFERENCES public.tenants(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.views
    ADD CONSTRAINT views_tenant_id_entity_type_slug_fkey FOREIGN KEY (tenant_id, entity_type_slug) REFERENCES public.entity_types(tenant_id, slug) ON DELETE CASCADE;
ALTER TABLE ONLY public.views
    ADD CONSTRAINT views_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhook_attempts
    ADD CONSTRAINT webhook_attempts_tenant_id_delivery_id_fkey FOREIGN KEY (tenant_id, delivery_id) REFERENCES public.webhook_deliveries(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhook_attempts
    ADD CONSTRAINT webhook_attempts_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_tenant_id_endpoint_id_fkey FOREIGN KEY (tenant_id, endpoint_id) REFERENCES public.webhook_endpoints(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_tenant_id_event_id_fkey FOREIGN KEY (tenant_id, event_id) REFERENCES public.events(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.workspace_settings
    ADD CONSTRAINT workspace_settings_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;
ALTER TABLE public.agent_secrets ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.agent_versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.agents ENABLE ROW LEVEL SECURITY;
CREATE POLICY all_of_them ON public.feedback_groups AS RESTRICTIVE USING (( SELECT (string_to_array(current_setting('app.permissions'::text, true), ','::text) && ARRAY['feedback.team.review'::text, 'feedback.team.*'::text, 'feedback.*.review'::text, 'feedback.*.*'::text, '*.team.review'::text, '*.team.*'::text, '*.*.review'::text, '*.*.*'::text])));
ALTER TABLE public.api_key_hashes ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.api_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.archives ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.artifact_eval_failures ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.artifact_eval_results ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.artifact_eval_runs ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.chain_items ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.chain_retractions ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.conv_messages ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.conv_turns ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.conversation_words ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.conversations ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.criteria_sets ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.entities ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.entity_field_history ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.entity_field_sources ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.entity_relations ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.entity_responses ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.entity_types ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.entity_words ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.erased_workspaces ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.erasure_blocks ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.erasure_items ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.erasures ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.eval_experiments ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.eval_judge_labels ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.eval_judge_licences ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.eval_judge_sampled ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.eval_judge_samples ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.eval_judges ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.eval_replays ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.eval_runs ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.events ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.feedback ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.feedback_decisions ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.feedback_group_reviews ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.feedback_grouping ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.feedback_groups ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.feedback_moves ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.feedback_words ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.golden_alternatives ENABLE ROW LEVEL SECURITY;
CREATE POLICY golden_is_frozen ON public.session_events AS RESTRICTIVE FOR INSERT WITH CHECK (((current_setting('app.archive'::text, true) = 'open'::text) OR (NOT (EXISTS ( SELECT
   FROM public.sessions s
  WHERE ((s.tenant_id = session_events.tenant_id) AND (s.id = session_events.session_id) AND (s.metadata ?| ARRAY['golden'::text, 'accepted_for'::text])))))));
CREATE POLICY golden_is_frozen ON public.sessions AS RESTRICTIVE FOR UPDATE USING (((NOT (metadata ?| ARRAY['golden'::text, 'accepted_for'::text])) OR (current_setting('app.goldens'::text, true) = 'open'::text))) WITH CHECK (true);
ALTER TABLE public.golden_sets ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.goldens ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.idempotency_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.identities ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.installation ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.invites ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.key_limits ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.knowledge_versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.list_columns ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.live_watchers ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.marks ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.memberships ENABLE ROW LEVEL SECURITY;
CREATE POLICY not_erasing ON public.conversations AS RESTRICTIVE USING (((erasing IS NULL) OR (NULLIF(current_setting('app.erasure'::text, true), ''::text) IS NOT NULL)));
CREATE POLICY not_erasing ON public.entities AS RESTRICTIVE USING (((erasing IS NULL) OR (NULLIF(current_setting('app.erasure'::text, true), ''::text) IS NOT NULL)));
CREATE POLICY not_erasing ON public.sessions AS RESTRICTIVE USING (((erasing IS NULL) OR (NULLIF(current_setting('app.erasure'::text, true), ''::text) IS NOT NULL)));
ALTER TABLE public.otel_batches ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.otel_sources ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.otel_trace_batches ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.otel_traces ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_delete ON public.user_memories AS RESTRICTIVE FOR DELETE USING (((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid) OR (user_id = (NULLIF(current_setting('app.memories'::text, true), ''::text))::uuid)));
CREATE POLICY own_or_all_delete ON public.feedback AS RESTRICTIVE FOR DELETE USING (((created_by = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid) OR ( SELECT (string_to_array(current_setting('app.permissions'::text, true), ','::text) && ARRAY['feedback.team.review'::text, 'feedback.team.*'::text, 'feedback.*.review'::text, 'feedback.*.*'::text, '*.team.review'::text, '*.team.*'::text, '*.*.review'::text, '*.*.*'::text])) OR (current_setting('app.feedback'::text, true) = 'open'::text) OR ((end_user IS NULL) AND (created_by_kind = 'agent'::text) AND (current_setting('app.actor'::text, true) = ('agent:'::text || created_by_id)))));
CREATE POLICY own_or_all_select ON public.feedback AS RESTRICTIVE FOR SELECT USING (((created_by = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid) OR ( SELECT (string_to_array(current_setting('app.permissions'::text, true), ','::text) && ARRAY['feedback.team.review'::text, 'feedback.team.*'::text, 'feedback.*.review'::text, 'feedback.*.*'::text, '*.team.review'::text, '*.team.*'::text, '*.*.review'::text, '*.*.*'::text])) OR (current_setting('app.feedback'::text, true) = 'open'::text) OR ((end_user IS NULL) AND (created_by_kind = 'agent'::text) AND (current_setting('app.actor'::text, true) = ('agent:'::text || created_by_id)))));
CREATE POLICY own_or_all_update ON public.feedback AS RESTRICTIVE FOR UPDATE USING (((created_by = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid) OR ( SELECT (string_to_array(current_setting('app.permissions'::text, true), ','::text) && ARRAY['feedback.team.review'::text, 'feedback.team.*'::text, 'feedback.*.review'::text, 'feedback.*.*'::text, '*.team.review'::text, '*.team.*'::text, '*.*.review'::text, '*.*.*'::text])) OR (current_setting('app.feedback'::text, true) = 'open'::text) OR ((end_user IS NULL) AND (created_by_kind = 'agent'::text) AND (current_setting('app.actor'::text, true) = ('agent:'::text || created_by_id)))));
CREATE POLICY own_select ON public.user_memories AS RESTRICTIVE FOR SELECT USING (((user_id = (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid) OR (user_id = (NULLIF(current_setting('app.memories'::text, true), ''::text))::uuid) OR (current_setting('app.archive'::text, true) = 'open'::text)));
CREATE POLICY own_tenant ON public.memberships TO goldloop_app, goldloop_worker USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY own_tenant ON public.tenants TO goldloop_app, goldloop_worker USING ((id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
ALTER TABLE public.parties ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.password_resets ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.prompt_heads ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.prompt_manifest_rows ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.prompt_manifests ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.recovery_codes ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.relation_scores ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.request_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.response_sources ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.run_usage ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.runs ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.saved_lists ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.second_factors ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.session_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.session_words ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.shared_context ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.shared_context_citations ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.shared_context_groups ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.shared_context_history ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.shared_context_kept ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.shared_context_support ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.shared_context_values ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.shared_context_words ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.sign_in_attempts ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.sign_in_requests ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.sign_in_sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.storage_measures ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.tasks ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant_isolation ON public.agent_secrets USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.agent_versions USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.agents USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.api_keys USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.archives USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.artifact_eval_failures USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.artifact_eval_results USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.artifact_eval_runs USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.chain_items USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.chain_retractions USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.conv_messages USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.conv_turns USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.conversation_words USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.conversations USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.criteria_sets USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.entities USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.entity_field_history USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.entity_field_sources USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.entity_relations USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.entity_responses USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.entity_types USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.entity_words USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.erasure_blocks USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.erasure_items USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.erasures USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.eval_experiments USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.eval_judge_labels USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.eval_judge_licences USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.eval_judge_sampled USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.eval_judge_samples USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.eval_judges USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.eval_replays USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.eval_runs USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.events USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.feedback USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.feedback_decisions USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.feedback_group_reviews USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.feedback_grouping USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.feedback_groups USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.feedback_moves USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.feedback_words USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.golden_alternatives USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.golden_sets USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.goldens USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.idempotency_keys USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.key_limits USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.knowledge_versions USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.list_columns USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.live_watchers USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.marks USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.otel_batches USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.otel_sources USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.otel_trace_batches USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.otel_traces USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.parties USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.prompt_heads USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.prompt_manifest_rows USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.prompt_manifests USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.relation_scores USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.request_counts USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.response_sources USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.run_usage USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.runs USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.saved_lists USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.session_events USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.session_words USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.sessions USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.shared_context USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.shared_context_citations USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.shared_context_groups USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.shared_context_history USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.shared_context_kept USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.shared_context_support USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.shared_context_values USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.shared_context_words USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.storage_measures USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.tasks USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.user_memories USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.views USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.webhook_attempts USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.webhook_deliveries USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.webhook_endpoints USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.workspace_settings USING ((tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid));
ALTER TABLE public.tenants ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.user_memories ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.users ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.views ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.webhook_attempts ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.webhook_deliveries ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.webhook_endpoints ENABLE ROW LEVEL SECURITY;
CREATE POLICY within_erasure_delete ON public.agent_secrets AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.agent_versions AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.agents AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.api_keys AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.archives AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.artifact_eval_failures AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.artifact_eval_results AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.artifact_eval_runs AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.chain_items AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.chain_retractions AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.conv_messages AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.conv_turns AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.conversation_words AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.conversations AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.criteria_sets AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.entities AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.entity_field_history AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.entity_field_sources AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.entity_relations AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.entity_responses AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.entity_types AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.entity_words AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.erasure_blocks AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.erasure_items AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.eval_experiments AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.eval_judge_labels AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.eval_judge_licences AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.eval_judge_sampled AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.eval_judge_samples AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.eval_judges AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.eval_replays AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.eval_runs AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.events AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.feedback AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.feedback_decisions AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.feedback_group_reviews AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.feedback_grouping AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.feedback_groups AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.feedback_moves AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.feedback_words AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.golden_alternatives AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.golden_sets AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.goldens AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.idempotency_keys AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.key_limits AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.knowledge_versions AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.list_columns AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.live_watchers AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.marks AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.otel_batches AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.otel_sources AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.otel_trace_batches AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.otel_traces AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.parties AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.prompt_heads AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.prompt_manifest_rows AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.prompt_manifests AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.relation_scores AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.request_counts AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.response_sources AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.run_usage AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.runs AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.saved_lists AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.session_events AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.session_words AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.sessions AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.shared_context AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.shared_context_citations AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.shared_context_groups AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.shared_context_history AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.shared_context_kept AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.shared_context_support AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.shared_context_values AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.shared_context_words AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.storage_measures AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.tasks AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.user_memories AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.views AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.webhook_attempts AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.webhook_deliveries AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.webhook_endpoints AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_delete ON public.workspace_settings AS RESTRICTIVE FOR DELETE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.agent_secrets AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.agent_versions AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.agents AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.api_keys AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.archives AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.artifact_eval_failures AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.artifact_eval_results AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.artifact_eval_runs AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.chain_items AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.chain_retractions AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.conv_messages AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.conv_turns AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.conversation_words AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.conversations AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.criteria_sets AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.entities AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.entity_field_history AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.entity_field_sources AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.entity_relations AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.entity_responses AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.entity_types AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.entity_words AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.erasure_blocks AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.erasure_items AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.eval_experiments AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.eval_judge_labels AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.eval_judge_licences AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.eval_judge_sampled AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.eval_judge_samples AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.eval_judges AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.eval_replays AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.eval_runs AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.events AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.feedback AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.feedback_decisions AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.feedback_group_reviews AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.feedback_grouping AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.feedback_groups AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.feedback_moves AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.feedback_words AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.golden_alternatives AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.golden_sets AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.goldens AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.idempotency_keys AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.key_limits AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.knowledge_versions AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.list_columns AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.live_watchers AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.marks AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.otel_batches AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.otel_sources AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.otel_trace_batches AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.otel_traces AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.parties AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.prompt_heads AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.prompt_manifest_rows AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.prompt_manifests AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.relation_scores AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.request_counts AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.response_sources AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.run_usage AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.runs AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.saved_lists AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.session_events AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.session_words AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.sessions AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.shared_context AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.shared_context_citations AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.shared_context_groups AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.shared_context_history AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.shared_context_kept AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.shared_context_support AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.shared_context_values AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.shared_context_words AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.storage_measures AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.tasks AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.user_memories AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.views AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.webhook_attempts AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.webhook_deliveries AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.webhook_endpoints AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY within_erasure_update ON public.workspace_settings AS RESTRICTIVE FOR UPDATE TO goldloop_eraser USING (((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT
   FROM public.erasures e
  WHERE ((e.id = (NULLIF(current_setting('app.erasure'::text, true), ''::text))::uuid) AND (e.ended_at IS NULL))))));
CREATE POLICY worker_finds_work ON public.marks TO goldloop_worker USING (true);
ALTER TABLE public.workspace_settings ENABLE ROW LEVEL SECURITY;
GRANT USAGE ON SCHEMA public TO goldloop_app;
GRANT USAGE ON SCHEMA public TO goldloop_worker;
REVOKE ALL ON FUNCTION public.accept_invite(p_hash bytea, p_session bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.accept_invite(p_hash bytea, p_session bytea) TO goldloop_app;
REVOKE ALL ON FUNCTION public.add_machine_reaction(p_project text, p_conversation text, p_turn text, p_source_conversation text, p_source_turn text, p_id uuid, p_event uuid, p_reaction text, p_confidence double precision, p_ts timestamp with time zone, p_text text, p_payload jsonb, p_feedback uuid, p_feedback_event uuid, OUT event jsonb, OUT feedback jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.add_machine_reaction(p_project text, p_conversation text, p_turn text, p_source_conversation text, p_source_turn text, p_id uuid, p_event uuid, p_reaction text, p_confidence double precision, p_ts timestamp with time zone, p_text text, p_payload jsonb, p_feedback uuid, p_feedback_event uuid, OUT event jsonb, OUT feedback jsonb) TO goldloop_app;
GRANT ALL ON FUNCTION public.add_machine_reaction(p_project text, p_conversation text, p_turn text, p_source_conversation text, p_source_turn text, p_id uuid, p_event uuid, p_reaction text, p_confidence double precision, p_ts timestamp with time zone, p_text text, p_payload jsonb, p_feedback uuid, p_feedback_event uuid, OUT event jsonb, OUT feedback jsonb) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.add_otel_batches(p_ids bytea[], p_signals smallint[], p_encodings smallint[], p_spans integer[], p_trace_ids bytea[], p_bodies bytea[], p_mark text, p_delay interval) FROM PUBLIC;
GRANT ALL ON FUNCTION public.add_otel_batches(p_ids bytea[], p_signals smallint[], p_encodings smallint[], p_spans integer[], p_trace_ids bytea[], p_bodies bytea[], p_mark text, p_delay interval) TO goldloop_app;
GRANT ALL ON FUNCTION public.add_otel_batches(p_ids bytea[], p_signals smallint[], p_encodings smallint[], p_spans integer[], p_trace_ids bytea[], p_bodies bytea[], p_mark text, p_delay interval) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.add_otel_counts(p_counts jsonb, p_first timestamp with time zone, p_last timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.add_otel_counts(p_counts jsonb, p_first timestamp with time zone, p_last timestamp with time zone) TO goldloop_app;
GRANT ALL ON FUNCTION public.add_otel_counts(p_counts jsonb, p_first timestamp with time zone, p_last timestamp with time zone) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.add_turns(p_project text, p_conversation text, p_turns jsonb, p_at timestamp with time zone, p_event uuid, p_gather interval, OUT added text[], OUT clashing text[], OUT event jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.add_turns(p_project text, p_conversation text, p_turns jsonb, p_at timestamp with time zone, p_event uuid, p_gather interval, OUT added text[], OUT clashing text[], OUT event jsonb) TO goldloop_app;
GRANT ALL ON FUNCTION public.add_turns(p_project text, p_conversation text, p_turns jsonb, p_at timestamp with time zone, p_event uuid, p_gather interval, OUT added text[], OUT clashing text[], OUT event jsonb) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.advance_moment(p_by interval) FROM PUBLIC;
GRANT ALL ON FUNCTION public.advance_moment(p_by interval) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.aggregate_responses(p_entity uuid, p_set uuid, p_points integer, p_numeric text[], p_chosen text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.aggregate_responses(p_entity uuid, p_set uuid, p_points integer, p_numeric text[], p_chosen text[]) TO goldloop_app;
GRANT ALL ON FUNCTION public.aggregate_responses(p_entity uuid, p_set uuid, p_points integer, p_numeric text[], p_chosen text[]) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.append_session_events(p_session uuid, p_events jsonb, p_words text[], p_claim integer, p_late boolean, p_watch interval, OUT outcome text, OUT added integer, OUT events integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.append_session_events(p_session uuid, p_events jsonb, p_words text[], p_claim integer, p_late boolean, p_watch interval, OUT outcome text, OUT added integer, OUT events integer) TO goldloop_app;
GRANT ALL ON FUNCTION public.append_session_events(p_session uuid, p_events jsonb, p_words text[], p_claim integer, p_late boolean, p_watch interval, OUT outcome text, OUT added integer, OUT events integer) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.apply_claim_aggregate(p_tenant_id uuid, p_claim_id uuid, p_source_count integer, p_quality_avg double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION public.apply_claim_aggregate(p_tenant_id uuid, p_claim_id uuid, p_source_count integer, p_quality_avg double precision) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.assign_responses(p_responses uuid[], p_to uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.assign_responses(p_responses uuid[], p_to uuid) TO goldloop_app;
GRANT ALL ON FUNCTION public.assign_responses(p_responses uuid[], p_to uuid) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.auth_key(p_hash bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_key(p_hash bytea) TO goldloop_app;
REVOKE ALL ON FUNCTION public.auth_password(p_email text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_password(p_email text) TO goldloop_app;
GRANT ALL ON FUNCTION public.auth_password(p_email text) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.auth_session(p_hash bytea, p_slug text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_session(p_hash bytea, p_slug text) TO goldloop_app;
REVOKE ALL ON FUNCTION public.begin_second_factor(p_session bytea, p_secret bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.begin_second_factor(p_session bytea, p_secret bytea) TO goldloop_app;
REVOKE ALL ON FUNCTION public.cancel_job(p_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.cancel_job(p_id uuid) TO goldloop_app;
GRANT ALL ON FUNCTION public.cancel_job(p_id uuid) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.chain_back(p_refs text[], p_vias text[], p_fan integer, p_people boolean, p_claim_type text, p_claim_field text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.chain_back(p_refs text[], p_vias text[], p_fan integer, p_people boolean, p_claim_type text, p_claim_field text) TO goldloop_app;
GRANT ALL ON FUNCTION public.chain_back(p_refs text[], p_vias text[], p_fan integer, p_people boolean, p_claim_type text, p_claim_field text) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.chain_forward(p_refs text[], p_vias text[], p_fan integer, p_people boolean, p_claim_type text, p_claim_field text, p_doubts boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION public.chain_forward(p_refs text[], p_vias text[], p_fan integer, p_people boolean, p_claim_type text, p_claim_field text, p_doubts boolean) TO goldloop_app;
GRANT ALL ON FUNCTION public.chain_forward(p_refs text[], p_vias text[], p_fan integer, p_people boolean, p_claim_type text, p_claim_field text, p_doubts boolean) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.chain_sessions(p_refs text[], p_fan integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.chain_sessions(p_refs text[], p_fan integer) TO goldloop_app;
GRANT ALL ON FUNCTION public.chain_sessions(p_refs text[], p_fan integer) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.change_entity_words(p_entity uuid, p_gone text[], p_new text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.change_entity_words(p_entity uuid, p_gone text[], p_new text[]) TO goldloop_app;
GRANT ALL ON FUNCTION public.change_entity_words(p_entity uuid, p_gone text[], p_new text[]) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.change_password(p_session bytea, p_password_hash text, p_seen text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.change_password(p_session bytea, p_password_hash text, p_seen text[]) TO goldloop_app;
REVOKE ALL ON FUNCTION public.claim_account(p_account uuid, p_issuer text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.claim_account(p_account uuid, p_issuer text) TO goldloop_app;
REVOKE ALL ON FUNCTION public.clear_edge_scores(p_source uuid, p_sets uuid[], p_fields text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.clear_edge_scores(p_source uuid, p_sets uuid[], p_fields text[]) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.close_session(p_hash bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.close_session(p_hash bytea) TO goldloop_app;
REVOKE ALL ON FUNCTION public.close_workspace() FROM PUBLIC;
GRANT ALL ON FUNCTION public.close_workspace() TO goldloop_eraser;
REVOKE ALL ON FUNCTION public.compute_response_summary(p_entity uuid, p_set uuid, p_at timestamp with time zone, p_raters integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.compute_response_summary(p_entity uuid, p_set uuid, p_at timestamp with time zone, p_raters integer) TO goldloop_app;
GRANT ALL ON FUNCTION public.compute_response_summary(p_entity uuid, p_set uuid, p_at timestamp with time zone, p_raters integer) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.count_jobs(p_statuses text[], p_most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.count_jobs(p_statuses text[], p_most integer) TO goldloop_app;
GRANT ALL ON FUNCTION public.count_jobs(p_statuses text[], p_most integer) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.count_run_usage(p_run uuid, p_tokens bigint, p_cost double precision, p_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.count_run_usage(p_run uuid, p_tokens bigint, p_cost double precision, p_at timestamp with time zone) TO goldloop_app;
GRANT ALL ON FUNCTION public.count_run_usage(p_run uuid, p_tokens bigint, p_cost double precision, p_at timestamp with time zone) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.count_sign_in_attempt(p_subject bytea, p_limit integer, p_window interval) FROM PUBLIC;
GRANT ALL ON FUNCTION public.count_sign_in_attempt(p_subject bytea, p_limit integer, p_window interval) TO goldloop_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.api_keys TO goldloop_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.api_keys TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.api_keys TO goldloop_eraser;
REVOKE ALL ON FUNCTION public.create_api_key(p_id uuid, p_hash bytea, p_name text, p_prefix text, p_role text, p_scopes text[], p_user uuid, p_agent uuid, p_actor_kind text, p_actor uuid, p_expires_at timestamp with time zone, p_event uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.create_api_key(p_id uuid, p_hash bytea, p_name text, p_prefix text, p_role text, p_scopes text[], p_user uuid, p_agent uuid, p_actor_kind text, p_actor uuid, p_expires_at timestamp with time zone, p_event uuid) TO goldloop_app;
GRANT ALL ON FUNCTION public.create_api_key(p_id uuid, p_hash bytea, p_name text, p_prefix text, p_role text, p_scopes text[], p_user uuid, p_agent uuid, p_actor_kind text, p_actor uuid, p_expires_at timestamp with time zone, p_event uuid) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.create_entity(p_id uuid, p_type uuid, p_type_version integer, p_title text, p_content jsonb, p_metadata jsonb, p_words text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.create_entity(p_id uuid, p_type uuid, p_type_version integer, p_title text, p_content jsonb, p_metadata jsonb, p_words text[]) TO goldloop_app;
GRANT ALL ON FUNCTION public.create_entity(p_id uuid, p_type uuid, p_type_version integer, p_title text, p_content jsonb, p_metadata jsonb, p_words text[]) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.create_tenant(p_id uuid, p_slug text, p_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.create_tenant(p_id uuid, p_slug text, p_name text) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.derive_response_status(p_status text, p_promotable text[], p_promoted text[], p_is_source boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION public.derive_response_status(p_status text, p_promotable text[], p_promoted text[], p_is_source boolean) TO goldloop_app;
GRANT ALL ON FUNCTION public.derive_response_status(p_status text, p_promotable text[], p_promoted text[], p_is_source boolean) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.edit_entity(p_id uuid, p_expected_version integer, p_type_version integer, p_title text, p_content jsonb, p_metadata jsonb, p_words_gone text[], p_words_new text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.edit_entity(p_id uuid, p_expected_version integer, p_type_version integer, p_title text, p_content jsonb, p_metadata jsonb, p_words_gone text[], p_words_new text[]) TO goldloop_app;
GRANT ALL ON FUNCTION public.edit_entity(p_id uuid, p_expected_version integer, p_type_version integer, p_title text, p_content jsonb, p_metadata jsonb, p_words_gone text[], p_words_new text[]) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.emit_event(p_id uuid, p_name text, p_topic text, p_subject text, p_payload jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.emit_event(p_id uuid, p_name text, p_topic text, p_subject text, p_payload jsonb) TO goldloop_app;
GRANT ALL ON FUNCTION public.emit_event(p_id uuid, p_name text, p_topic text, p_subject text, p_payload jsonb) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.end_member_sessions(p_user uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.end_member_sessions(p_user uuid) TO goldloop_app;
GRANT ALL ON FUNCTION public.end_member_sessions(p_user uuid) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.end_own_sessions(p_session bytea, p_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.end_own_sessions(p_session bytea, p_id uuid) TO goldloop_app;
REVOKE ALL ON FUNCTION public.enqueue_job(p_id uuid, p_name text, p_payload jsonb, p_run_at timestamp with time zone, p_max_attempts integer, p_priority integer, p_queue text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.enqueue_job(p_id uuid, p_name text, p_payload jsonb, p_run_at timestamp with time zone, p_max_attempts integer, p_priority integer, p_queue text) TO goldloop_app;
GRANT ALL ON FUNCTION public.enqueue_job(p_id uuid, p_name text, p_payload jsonb, p_run_at timestamp with time zone, p_max_attempts integer, p_priority integer, p_queue text) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.ensure_account(p_tenant uuid, p_id uuid, p_email text, p_password_hash text, p_name text) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.erase_conversation(p_project text, p_conversation text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.erase_conversation(p_project text, p_conversation text) TO goldloop_eraser;
REVOKE ALL ON FUNCTION public.erase_group(p_group uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.erase_group(p_group uuid) TO goldloop_eraser;
REVOKE ALL ON FUNCTION public.erase_knowledge_words(p_row uuid, p_instead text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.erase_knowledge_words(p_row uuid, p_instead text) TO goldloop_eraser;
REVOKE ALL ON FUNCTION public.erase_old_events(p_before timestamp with time zone, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.erase_old_events(p_before timestamp with time zone, p_limit integer) TO goldloop_eraser;
REVOKE ALL ON FUNCTION public.erase_quotes(p_row uuid, p_words text, p_instead text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.erase_quotes(p_row uuid, p_words text, p_instead text) TO goldloop_eraser;
REVOKE ALL ON FUNCTION public.erase_reaction(p_message uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.erase_reaction(p_message uuid) TO goldloop_eraser;
REVOKE ALL ON FUNCTION public.erase_response(p_response uuid, OUT gone jsonb, OUT kept boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION public.erase_response(p_response uuid, OUT gone jsonb, OUT kept boolean) TO goldloop_eraser;
REVOKE ALL ON FUNCTION public.erase_rest() FROM PUBLIC;
GRANT ALL ON FUNCTION public.erase_rest() TO goldloop_eraser;
REVOKE ALL ON FUNCTION public.erase_rows(p_table text, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.erase_rows(p_table text, p_limit integer) TO goldloop_eraser;
REVOKE ALL ON FUNCTION public.erase_session(p_erasure uuid, p_session uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.erase_session(p_erasure uuid, p_session uuid) TO goldloop_eraser;
REVOKE ALL ON FUNCTION public.erase_traces(p_traces bytea[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.erase_traces(p_traces bytea[]) TO goldloop_eraser;
REVOKE ALL ON FUNCTION public.erase_turn(p_project text, p_conversation text, p_turn text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.erase_turn(p_project text, p_conversation text, p_turn text) TO goldloop_eraser;
REVOKE ALL ON FUNCTION public.erase_workspace(p_gone jsonb, p_requested timestamp with time zone, p_job uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.erase_workspace(p_gone jsonb, p_requested timestamp with time zone, p_job uuid) TO goldloop_eraser;
REVOKE ALL ON FUNCTION public.event_subjects(p_tenant uuid, p_subject text, p_payload jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.event_subjects(p_tenant uuid, p_subject text, p_payload jsonb) TO goldloop_app;
GRANT ALL ON FUNCTION public.event_subjects(p_tenant uuid, p_subject text, p_payload jsonb) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.featured_set(p_config jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.featured_set(p_config jsonb) TO goldloop_app;
GRANT ALL ON FUNCTION public.featured_set(p_config jsonb) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.find_accounts(p_email text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_accounts(p_email text) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.find_reset(p_hash bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_reset(p_hash bytea) TO goldloop_app;
REVOKE ALL ON FUNCTION public.find_second_factor(p_account uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_second_factor(p_account uuid) TO goldloop_app;
REVOKE ALL ON FUNCTION public.find_tenant(p_slug text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_tenant(p_slug text) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.gather_erased(p_erasure uuid, p_narrow boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION public.gather_erased(p_erasure uuid, p_narrow boolean) TO goldloop_eraser;
REVOKE ALL ON FUNCTION public.hide_erased(p_erasure uuid, p_kind text, p_subject text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.hide_erased(p_erasure uuid, p_kind text, p_subject text[]) TO goldloop_eraser;
REVOKE ALL ON FUNCTION public.import_feedback(p_rows jsonb, p_kind text, p_event uuid, OUT added integer, OUT event jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.import_feedback(p_rows jsonb, p_kind text, p_event uuid, OUT added integer, OUT event jsonb) TO goldloop_app;
GRANT ALL ON FUNCTION public.import_feedback(p_rows jsonb, p_kind text, p_event uuid, OUT added integer, OUT event jsonb) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.installation_secret() FROM PUBLIC;
GRANT ALL ON FUNCTION public.installation_secret() TO goldloop_app;
GRANT ALL ON FUNCTION public.installation_secret() TO goldloop_worker;
REVOKE ALL ON FUNCTION public.invite_address(p_hash bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.invite_address(p_hash bytea) TO goldloop_app;
REVOKE ALL ON FUNCTION public.join_by_provider(p_user uuid, p_account uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.join_by_provider(p_user uuid, p_account uuid) TO goldloop_app;
REVOKE ALL ON FUNCTION public.join_workspace(p_tenant uuid, p_user uuid, p_account uuid) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.key_hash_owner(p_hash bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.key_hash_owner(p_hash bytea) TO goldloop_app;
REVOKE ALL ON FUNCTION public.lease_mark(p_kind text, p_after_tenant uuid, p_cap integer, p_lease interval, p_without uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.lease_mark(p_kind text, p_after_tenant uuid, p_cap integer, p_lease interval, p_without uuid[]) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.let_erase(target regclass) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.link_identity(p_id uuid, p_account uuid, p_issuer text, p_subject text, p_provider text, p_email text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.link_identity(p_id uuid, p_account uuid, p_issuer text, p_subject text, p_provider text, p_email text) TO goldloop_app;
REVOKE ALL ON FUNCTION public.list_claim_sources(p_claim uuid, p_type text, p_field text, p_set text, p_after uuid, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.list_claim_sources(p_claim uuid, p_type text, p_field text, p_set text, p_after uuid, p_limit integer) TO goldloop_app;
GRANT ALL ON FUNCTION public.list_claim_sources(p_claim uuid, p_type text, p_field text, p_set text, p_after uuid, p_limit integer) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.list_erased_workspaces(p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.list_erased_workspaces(p_limit integer) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.list_job_failures(p_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.list_job_failures(p_id uuid) TO goldloop_app;
GRANT ALL ON FUNCTION public.list_job_failures(p_id uuid) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.list_jobs(p_id uuid, p_statuses text[], p_before uuid, p_limit integer, p_names text[], p_but text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.list_jobs(p_id uuid, p_statuses text[], p_before uuid, p_limit integer, p_names text[], p_but text[]) TO goldloop_app;
GRANT ALL ON FUNCTION public.list_jobs(p_id uuid, p_statuses text[], p_before uuid, p_limit integer, p_names text[], p_but text[]) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.list_rated_units(p_set uuid, p_responses integer, p_values integer, p_bytes integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.list_rated_units(p_set uuid, p_responses integer, p_values integer, p_bytes integer) TO goldloop_app;
GRANT ALL ON FUNCTION public.list_rated_units(p_set uuid, p_responses integer, p_values integer, p_bytes integer) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.list_raters(p_entity uuid, p_set uuid, p_after uuid, p_after_no_agent boolean, p_scored boolean, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.list_raters(p_entity uuid, p_set uuid, p_after uuid, p_after_no_agent boolean, p_scored boolean, p_limit integer) TO goldloop_app;
GRANT ALL ON FUNCTION public.list_raters(p_entity uuid, p_set uuid, p_after uuid, p_after_no_agent boolean, p_scored boolean, p_limit integer) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.lock_accounts(p_email text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.lock_accounts(p_email text) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.make_account(p_id uuid, p_email text, p_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.make_account(p_id uuid, p_email text, p_name text) TO goldloop_app;
REVOKE ALL ON FUNCTION public.moment() FROM PUBLIC;
GRANT ALL ON FUNCTION public.moment() TO goldloop_app;
GRANT ALL ON FUNCTION public.moment() TO goldloop_worker;
REVOKE ALL ON FUNCTION public.newest_event_ages(p_tenants uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.newest_event_ages(p_tenants uuid[]) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.notify_change(p_topic text, p_subject text, p_payload jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.notify_change(p_topic text, p_subject text, p_payload jsonb) TO goldloop_app;
GRANT ALL ON FUNCTION public.notify_change(p_topic text, p_subject text, p_payload jsonb) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.open_account_reset(p_hash bytea, p_account uuid, p_drops_factor boolean, p_expires_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.open_account_reset(p_hash bytea, p_account uuid, p_drops_factor boolean, p_expires_at timestamp with time zone) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.open_invite(p_hash bytea, p_user uuid, p_expires_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.open_invite(p_hash bytea, p_user uuid, p_expires_at timestamp with time zone) TO goldloop_app;
GRANT ALL ON FUNCTION public.open_invite(p_hash bytea, p_user uuid, p_expires_at timestamp with time zone) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.open_reset(p_hash bytea, p_user uuid, p_drops_factor boolean, p_expires_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.open_reset(p_hash bytea, p_user uuid, p_drops_factor boolean, p_expires_at timestamp with time zone) TO goldloop_app;
GRANT ALL ON FUNCTION public.open_reset(p_hash bytea, p_user uuid, p_drops_factor boolean, p_expires_at timestamp with time zone) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.open_session(p_hash bytea, p_user uuid, p_expires_at timestamp with time zone, p_method text, p_provider text, p_id_token bytea, p_device text, p_client text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.open_session(p_hash bytea, p_user uuid, p_expires_at timestamp with time zone, p_method text, p_provider text, p_id_token bytea, p_device text, p_client text) TO goldloop_app;
REVOKE ALL ON FUNCTION public.open_sign_in_request(p_hash bytea, p_content bytea, p_expires_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.open_sign_in_request(p_hash bytea, p_content bytea, p_expires_at timestamp with time zone) TO goldloop_app;
REVOKE ALL ON FUNCTION public.own_sessions(p_session bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.own_sessions(p_session bytea) TO goldloop_app;
REVOKE ALL ON FUNCTION public.pick_mark(p_kind text, p_after_tenant uuid, p_without uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.pick_mark(p_kind text, p_after_tenant uuid, p_without uuid[]) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.promotable_dimensions(p_values jsonb, p_snapshot jsonb, p_properties jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.promotable_dimensions(p_values jsonb, p_snapshot jsonb, p_properties jsonb) TO goldloop_app;
GRANT ALL ON FUNCTION public.promotable_dimensions(p_values jsonb, p_snapshot jsonb, p_properties jsonb) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.promote_field_values(p_entity uuid, p_response uuid, p_expected_version integer, p_type_version integer, p_content jsonb, p_dimensions jsonb, p_words_gone text[], p_words_new text[], p_event uuid, OUT outcome text, OUT status text, OUT promoted_fields text[], OUT reviewed_at timestamp with time zone, OUT waits boolean, OUT event jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.promote_field_values(p_entity uuid, p_response uuid, p_expected_version integer, p_type_version integer, p_content jsonb, p_dimensions jsonb, p_words_gone text[], p_words_new text[], p_event uuid, OUT outcome text, OUT status text, OUT promoted_fields text[], OUT reviewed_at timestamp with time zone, OUT waits boolean, OUT event jsonb) TO goldloop_app;
GRANT ALL ON FUNCTION public.promote_field_values(p_entity uuid, p_response uuid, p_expected_version integer, p_type_version integer, p_content jsonb, p_dimensions jsonb, p_words_gone text[], p_words_new text[], p_event uuid, OUT outcome text, OUT status text, OUT promoted_fields text[], OUT reviewed_at timestamp with time zone, OUT waits boolean, OUT event jsonb) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.provider_memberships(p_slugs text[], p_account uuid, p_email text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.provider_memberships(p_slugs text[], p_account uuid, p_email text) TO goldloop_app;
REVOKE ALL ON FUNCTION public.prune_jobs(p_good interval, p_bad interval, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.prune_jobs(p_good interval, p_bad interval, p_limit integer) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.prune_sign_ins() FROM PUBLIC;
GRANT ALL ON FUNCTION public.prune_sign_ins() TO goldloop_worker;
REVOKE ALL ON FUNCTION public.put_key_hash(p_hash bytea, p_key uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.put_key_hash(p_hash bytea, p_key uuid) TO goldloop_app;
GRANT ALL ON FUNCTION public.put_key_hash(p_hash bytea, p_key uuid) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.queue_webhooks(p_event uuid, p_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.queue_webhooks(p_event uuid, p_name text) TO goldloop_app;
GRANT ALL ON FUNCTION public.queue_webhooks(p_event uuid, p_name text) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.react(p_project text, p_conversation text, p_turn text, p_end_user text, p_by_member boolean, p_id uuid, p_event uuid, p_reaction text, p_comment text, p_ts timestamp with time zone, p_ts_said boolean, p_text text, p_payload jsonb, p_most integer, p_feedback uuid, p_feedback_event uuid, OUT outcome text, OUT artifact jsonb, OUT replaced text, OUT event jsonb, OUT feedback jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.react(p_project text, p_conversation text, p_turn text, p_end_user text, p_by_member boolean, p_id uuid, p_event uuid, p_reaction text, p_comment text, p_ts timestamp with time zone, p_ts_said boolean, p_text text, p_payload jsonb, p_most integer, p_feedback uuid, p_feedback_event uuid, OUT outcome text, OUT artifact jsonb, OUT replaced text, OUT event jsonb, OUT feedback jsonb) TO goldloop_app;
GRANT ALL ON FUNCTION public.react(p_project text, p_conversation text, p_turn text, p_end_user text, p_by_member boolean, p_id uuid, p_event uuid, p_reaction text, p_comment text, p_ts timestamp with time zone, p_ts_said boolean, p_text text, p_payload jsonb, p_most integer, p_feedback uuid, p_feedback_event uuid, OUT outcome text, OUT artifact jsonb, OUT replaced text, OUT event jsonb, OUT feedback jsonb) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.rebuild_entity_words(p_entity uuid, p_words text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.rebuild_entity_words(p_entity uuid, p_words text[]) TO goldloop_app;
GRANT ALL ON FUNCTION public.rebuild_entity_words(p_entity uuid, p_words text[]) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.record_field_changes(p_entity uuid, p_kind text, p_before jsonb, p_after jsonb, p_version integer, p_response uuid, p_dimensions jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.record_field_changes(p_entity uuid, p_kind text, p_before jsonb, p_after jsonb, p_version integer, p_response uuid, p_dimensions jsonb) TO goldloop_app;
GRANT ALL ON FUNCTION public.record_field_changes(p_entity uuid, p_kind text, p_before jsonb, p_after jsonb, p_version integer, p_response uuid, p_dimensions jsonb) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.refresh_response_status(p_responses uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.refresh_response_status(p_responses uuid[]) TO goldloop_app;
GRANT ALL ON FUNCTION public.refresh_response_status(p_responses uuid[]) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.refresh_response_summary(p_entity uuid, p_response uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.refresh_response_summary(p_entity uuid, p_response uuid) TO goldloop_app;
GRANT ALL ON FUNCTION public.refresh_response_summary(p_entity uuid, p_response uuid) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.refresh_type_responses(p_slug text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.refresh_type_responses(p_slug text) TO goldloop_app;
GRANT ALL ON FUNCTION public.refresh_type_responses(p_slug text) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.refuse_erased(p_sessions text[], p_conversations text[], p_end_users text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.refuse_erased(p_sessions text[], p_conversations text[], p_end_users text[]) TO goldloop_app;
GRANT ALL ON FUNCTION public.refuse_erased(p_sessions text[], p_conversations text[], p_end_users text[]) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.remove_second_factor(p_account uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.remove_second_factor(p_account uuid) TO goldloop_app;
REVOKE ALL ON FUNCTION public.repair_response_summaries(p_after uuid, p_batch integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.repair_response_summaries(p_after uuid, p_batch integer) TO goldloop_app;
GRANT ALL ON FUNCTION public.repair_response_summaries(p_after uuid, p_batch integer) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.replace_otel_body(p_batch bytea, p_encoding smallint, p_spans integer, p_trace_ids bytea, p_body bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.replace_otel_body(p_batch bytea, p_encoding smallint, p_spans integer, p_trace_ids bytea, p_body bytea) TO goldloop_eraser;
REVOKE ALL ON FUNCTION public.reset_password(p_account uuid, p_password_hash text, p_seen text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.reset_password(p_account uuid, p_password_hash text, p_seen text[]) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.response_refs(p_entity uuid, p_field_meta jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.response_refs(p_entity uuid, p_field_meta jsonb) TO goldloop_app;
GRANT ALL ON FUNCTION public.response_refs(p_entity uuid, p_field_meta jsonb) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.retry_job(p_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.retry_job(p_id uuid) TO goldloop_app;
GRANT ALL ON FUNCTION public.retry_job(p_id uuid) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.review_response(p_entity uuid, p_response uuid, p_before text, p_after text, p_notes text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.review_response(p_entity uuid, p_response uuid, p_before text, p_after text, p_notes text) TO goldloop_app;
GRANT ALL ON FUNCTION public.review_response(p_entity uuid, p_response uuid, p_before text, p_after text, p_notes text) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.score_of_100(p_normalized double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION public.score_of_100(p_normalized double precision) TO goldloop_app;
GRANT ALL ON FUNCTION public.score_of_100(p_normalized double precision) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.scrub_eval_runs(p_goldens uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.scrub_eval_runs(p_goldens uuid[]) TO goldloop_eraser;
REVOKE ALL ON FUNCTION public.scrub_events(p_erasure uuid, p_after uuid, p_limit integer, OUT last uuid, OUT gone bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.scrub_events(p_erasure uuid, p_after uuid, p_limit integer, OUT last uuid, OUT gone bigint) TO goldloop_eraser;
REVOKE ALL ON FUNCTION public.scrub_notes(p_erasure uuid, p_instead text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.scrub_notes(p_erasure uuid, p_instead text) TO goldloop_eraser;
REVOKE ALL ON FUNCTION public.scrub_queue(p_erasure uuid, p_job uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.scrub_queue(p_erasure uuid, p_job uuid) TO goldloop_eraser;
REVOKE ALL ON FUNCTION public.scrub_sessions(p_erasure uuid, p_after uuid, p_limit integer, p_instead text, OUT last uuid, OUT gone jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.scrub_sessions(p_erasure uuid, p_after uuid, p_limit integer, p_instead text, OUT last uuid, OUT gone jsonb) TO goldloop_eraser;
REVOKE ALL ON FUNCTION public.session_memberships(p_hash bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.session_memberships(p_hash bytea) TO goldloop_app;
REVOKE ALL ON FUNCTION public.set_first_password(p_user uuid, p_password_hash text, p_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.set_first_password(p_user uuid, p_password_hash text, p_name text) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.set_marks(p_kind text, p_keys text[], p_delay interval) FROM PUBLIC;
GRANT ALL ON FUNCTION public.set_marks(p_kind text, p_keys text[], p_delay interval) TO goldloop_app;
GRANT ALL ON FUNCTION public.set_marks(p_kind text, p_keys text[], p_delay interval) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.set_password(p_account uuid, p_password_hash text, p_seen text[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.set_recovery_codes(p_account uuid, p_hashes bytea[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.set_recovery_codes(p_account uuid, p_hashes bytea[]) TO goldloop_app;
REVOKE ALL ON FUNCTION public.settle_feedback(p_response uuid, p_session uuid, p_sources text[], p_status text, p_notes text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.settle_feedback(p_response uuid, p_session uuid, p_sources text[], p_status text, p_notes text) TO goldloop_app;
GRANT ALL ON FUNCTION public.settle_feedback(p_response uuid, p_session uuid, p_sources text[], p_status text, p_notes text) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.settle_reaction(p_id uuid, p_conversation text, p_turn text, p_text text, p_payload jsonb, p_event uuid, p_feedback uuid, p_feedback_event uuid, OUT outcome text, OUT event jsonb, OUT feedback jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.settle_reaction(p_id uuid, p_conversation text, p_turn text, p_text text, p_payload jsonb, p_event uuid, p_feedback uuid, p_feedback_event uuid, OUT outcome text, OUT event jsonb, OUT feedback jsonb) TO goldloop_app;
GRANT ALL ON FUNCTION public.settle_reaction(p_id uuid, p_conversation text, p_turn text, p_text text, p_payload jsonb, p_event uuid, p_feedback uuid, p_feedback_event uuid, OUT outcome text, OUT event jsonb, OUT feedback jsonb) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.settle_request_counts(p_process uuid, p_minute timestamp with time zone, p_subjects uuid[], p_requests integer[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.settle_request_counts(p_process uuid, p_minute timestamp with time zone, p_subjects uuid[], p_requests integer[]) TO goldloop_app;
GRANT ALL ON FUNCTION public.settle_request_counts(p_process uuid, p_minute timestamp with time zone, p_subjects uuid[], p_requests integer[]) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.show_account(p_session bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.show_account(p_session bytea) TO goldloop_app;
REVOKE ALL ON FUNCTION public.sign_in_ways(p_users uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.sign_in_ways(p_users uuid[]) TO goldloop_app;
GRANT ALL ON FUNCTION public.sign_in_ways(p_users uuid[]) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.source_before(p_entity uuid, p_field text, p_promotion uuid, OUT history_id uuid, OUT value jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.source_before(p_entity uuid, p_field text, p_promotion uuid, OUT history_id uuid, OUT value jsonb) TO goldloop_app;
GRANT ALL ON FUNCTION public.source_before(p_entity uuid, p_field text, p_promotion uuid, OUT history_id uuid, OUT value jsonb) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.source_ref(p_source jsonb, p_entity uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.source_ref(p_source jsonb, p_entity uuid) TO goldloop_app;
GRANT ALL ON FUNCTION public.source_ref(p_source jsonb, p_entity uuid) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.source_text(p_source jsonb, VARIADIC p_keys text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.source_text(p_source jsonb, VARIADIC p_keys text[]) TO goldloop_app;
GRANT ALL ON FUNCTION public.source_text(p_source jsonb, VARIADIC p_keys text[]) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.spread_otel_batches(p_mark text, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.spread_otel_batches(p_mark text, p_limit integer) TO goldloop_app;
GRANT ALL ON FUNCTION public.spread_otel_batches(p_mark text, p_limit integer) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.submit_response(p_id uuid, p_entity uuid, p_set uuid, p_set_version integer, p_snapshot jsonb, p_source text, p_values jsonb, p_field_meta jsonb, p_weighted double precision, p_normalized double precision, p_promotable text[], p_parent uuid, p_temporal_value text, p_notes text, p_scope jsonb, p_event uuid, p_set_at timestamp with time zone, p_type uuid, p_type_version integer, p_type_at timestamp with time zone, OUT outcome text, OUT created_at timestamp with time zone, OUT waits boolean, OUT event jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.submit_response(p_id uuid, p_entity uuid, p_set uuid, p_set_version integer, p_snapshot jsonb, p_source text, p_values jsonb, p_field_meta jsonb, p_weighted double precision, p_normalized double precision, p_promotable text[], p_parent uuid, p_temporal_value text, p_notes text, p_scope jsonb, p_event uuid, p_set_at timestamp with time zone, p_type uuid, p_type_version integer, p_type_at timestamp with time zone, OUT outcome text, OUT created_at timestamp with time zone, OUT waits boolean, OUT event jsonb) TO goldloop_app;
GRANT ALL ON FUNCTION public.submit_response(p_id uuid, p_entity uuid, p_set uuid, p_set_version integer, p_snapshot jsonb, p_source text, p_values jsonb, p_field_meta jsonb, p_weighted double precision, p_normalized double precision, p_promotable text[], p_parent uuid, p_temporal_value text, p_notes text, p_scope jsonb, p_event uuid, p_set_at timestamp with time zone, p_type uuid, p_type_version integer, p_type_at timestamp with time zone, OUT outcome text, OUT created_at timestamp with time zone, OUT waits boolean, OUT event jsonb) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.sweep_jobs(p_heartbeat interval, p_max_age interval) FROM PUBLIC;
GRANT ALL ON FUNCTION public.sweep_jobs(p_heartbeat interval, p_max_age interval) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.take_back_sign_in_attempt(p_subject bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.take_back_sign_in_attempt(p_subject bytea) TO goldloop_app;
REVOKE ALL ON FUNCTION public.take_in_feedback(p_new jsonb, p_event uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.take_in_feedback(p_new jsonb, p_event uuid) TO goldloop_app;
GRANT ALL ON FUNCTION public.take_in_feedback(p_new jsonb, p_event uuid) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.take_in_reaction(p_id uuid, p_event uuid, p_rn text, p_replaced text, p_reaction text, p_comment text, p_project text, p_conversation text, p_turn text, p_agent text, p_session text, p_author text, p_by_member boolean, p_origin text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.take_in_reaction(p_id uuid, p_event uuid, p_rn text, p_replaced text, p_reaction text, p_comment text, p_project text, p_conversation text, p_turn text, p_agent text, p_session text, p_author text, p_by_member boolean, p_origin text) TO goldloop_app;
GRANT ALL ON FUNCTION public.take_in_reaction(p_id uuid, p_event uuid, p_rn text, p_replaced text, p_reaction text, p_comment text, p_project text, p_conversation text, p_turn text, p_agent text, p_session text, p_author text, p_by_member boolean, p_origin text) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.take_invite(p_hash bytea) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.take_mark(p_kind text, p_after_tenant uuid, p_cap integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.take_mark(p_kind text, p_after_tenant uuid, p_cap integer) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.take_marks(p_kind text, p_after_tenant uuid, p_cap integer, p_most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.take_marks(p_kind text, p_after_tenant uuid, p_cap integer, p_most integer) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.take_sign_in_request(p_hash bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.take_sign_in_request(p_hash bytea) TO goldloop_app;
REVOKE ALL ON FUNCTION public.tenant_ids(p_after uuid, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.tenant_ids(p_after uuid, p_limit integer) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.touch_session(p_hash bytea, p_client text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.touch_session(p_hash bytea, p_client text) TO goldloop_app;
REVOKE ALL ON FUNCTION public.turn_similarities(p_project text, p_conversation text, p_turn text, p_user text, p_since timestamp with time zone, p_model text, p_vector real[], p_most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.turn_similarities(p_project text, p_conversation text, p_turn text, p_user text, p_since timestamp with time zone, p_model text, p_vector real[], p_most integer) TO goldloop_app;
GRANT ALL ON FUNCTION public.turn_similarities(p_project text, p_conversation text, p_turn text, p_user text, p_since timestamp with time zone, p_model text, p_vector real[], p_most integer) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.unblock_erased(p_erasures uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.unblock_erased(p_erasures uuid[]) TO goldloop_eraser;
REVOKE ALL ON FUNCTION public.undo_promotion(p_entity uuid, p_promotions jsonb, p_expected_version integer, p_type_version integer, p_content jsonb, p_words_gone text[], p_words_new text[], p_event uuid, OUT outcome text, OUT event jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.undo_promotion(p_entity uuid, p_promotions jsonb, p_expected_version integer, p_type_version integer, p_content jsonb, p_words_gone text[], p_words_new text[], p_event uuid, OUT outcome text, OUT event jsonb) TO goldloop_app;
GRANT ALL ON FUNCTION public.undo_promotion(p_entity uuid, p_promotions jsonb, p_expected_version integer, p_type_version integer, p_content jsonb, p_words_gone text[], p_words_new text[], p_event uuid, OUT outcome text, OUT event jsonb) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.unlink_identity(p_session bytea, p_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.unlink_identity(p_session bytea, p_id uuid) TO goldloop_app;
REVOKE ALL ON FUNCTION public.unlink_otel_body(p_batch bytea, p_traces bytea[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.unlink_otel_body(p_batch bytea, p_traces bytea[]) TO goldloop_eraser;
REVOKE ALL ON FUNCTION public.unsettle_reaction(p_id uuid, p_rn text, p_text text, p_payload jsonb, p_copy uuid, p_event uuid, p_feedback_event uuid, OUT outcome text, OUT event jsonb, OUT feedback jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.unsettle_reaction(p_id uuid, p_rn text, p_text text, p_payload jsonb, p_copy uuid, p_event uuid, p_feedback_event uuid, OUT outcome text, OUT event jsonb, OUT feedback jsonb) TO goldloop_app;
GRANT ALL ON FUNCTION public.unsettle_reaction(p_id uuid, p_rn text, p_text text, p_payload jsonb, p_copy uuid, p_event uuid, p_feedback_event uuid, OUT outcome text, OUT event jsonb, OUT feedback jsonb) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.use_code(p_account uuid, p_step bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.use_code(p_account uuid, p_step bigint) TO goldloop_app;
REVOKE ALL ON FUNCTION public.use_identity(p_issuer text, p_subject text, p_provider text, p_email text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.use_identity(p_issuer text, p_subject text, p_provider text, p_email text) TO goldloop_app;
REVOKE ALL ON FUNCTION public.use_invite(p_hash bytea, p_password_hash text, p_name text, p_seen text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.use_invite(p_hash bytea, p_password_hash text, p_name text, p_seen text[]) TO goldloop_app;
REVOKE ALL ON FUNCTION public.use_recovery_code(p_account uuid, p_hash bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.use_recovery_code(p_account uuid, p_hash bytea) TO goldloop_app;
REVOKE ALL ON FUNCTION public.use_reset(p_hash bytea, p_password_hash text, p_new uuid, p_seen text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.use_reset(p_hash bytea, p_password_hash text, p_new uuid, p_seen text[]) TO goldloop_app;
REVOKE ALL ON FUNCTION public.walk_chain(p_from text, p_forward boolean, p_depth integer, p_limit integer, p_kinds text[], p_people boolean, p_claim_type text, p_claim_field text, p_doubts boolean, OUT refs text[], OUT depths integer[], OUT came text[], OUT led text[], OUT relations text[], OUT cut text[], OUT unused_of text[], OUT unused integer[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.walk_chain(p_from text, p_forward boolean, p_depth integer, p_limit integer, p_kinds text[], p_people boolean, p_claim_type text, p_claim_field text, p_doubts boolean, OUT refs text[], OUT depths integer[], OUT came text[], OUT led text[], OUT relations text[], OUT cut text[], OUT unused_of text[], OUT unused integer[]) TO goldloop_app;
GRANT ALL ON FUNCTION public.walk_chain(p_from text, p_forward boolean, p_depth integer, p_limit integer, p_kinds text[], p_people boolean, p_claim_type text, p_claim_field text, p_doubts boolean, OUT refs text[], OUT depths integer[], OUT came text[], OUT led text[], OUT relations text[], OUT cut text[], OUT unused_of text[], OUT unused integer[]) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.watch_tenant(p_watcher uuid, p_for interval) FROM PUBLIC;
GRANT ALL ON FUNCTION public.watch_tenant(p_watcher uuid, p_for interval) TO goldloop_app;
REVOKE ALL ON FUNCTION public.withdraw_feedback(p_response uuid, p_sources text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.withdraw_feedback(p_response uuid, p_sources text[]) TO goldloop_app;
GRANT ALL ON FUNCTION public.withdraw_feedback(p_response uuid, p_sources text[]) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.withdraw_response(p_response uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.withdraw_response(p_response uuid) TO goldloop_app;
GRANT ALL ON FUNCTION public.withdraw_response(p_response uuid) TO goldloop_worker;
REVOKE ALL ON FUNCTION public.without_text(p_value jsonb, p_instead text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.without_text(p_value jsonb, p_instead text) TO goldloop_eraser;
REVOKE ALL ON FUNCTION public.write_edge_scores(p_source uuid, p_set uuid, p_field text, p_scores jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.write_edge_scores(p_source uuid, p_set uuid, p_field text, p_scores jsonb) TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.agent_secrets TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.agent_secrets TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.agent_secrets TO goldloop_eraser;
GRANT SELECT,INSERT ON TABLE public.agent_versions TO goldloop_app;
GRANT SELECT,INSERT ON TABLE public.agent_versions TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.agent_versions TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.agents TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.agents TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.agents TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.archives TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.archives TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.archives TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.artifact_eval_failures TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.artifact_eval_failures TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.artifact_eval_failures TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.artifact_eval_results TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.artifact_eval_results TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.artifact_eval_results TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.artifact_eval_runs TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.artifact_eval_runs TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.artifact_eval_runs TO goldloop_eraser;
GRANT SELECT,INSERT,UPDATE ON TABLE public.chain_items TO goldloop_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.chain_items TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.chain_items TO goldloop_eraser;
GRANT SELECT,INSERT,UPDATE ON TABLE public.chain_retractions TO goldloop_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.chain_retractions TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.chain_retractions TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.conv_messages TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.conv_messages TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.conv_messages TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.conv_turns TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.conv_turns TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.conv_turns TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.conversation_words TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.conversation_words TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.conversation_words TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.conversations TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.conversations TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.conversations TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.criteria_sets TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.criteria_sets TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.criteria_sets TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.entities TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.entities TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.entities TO goldloop_eraser;
GRANT SELECT,INSERT ON TABLE public.entity_field_history TO goldloop_app;
GRANT SELECT,INSERT ON TABLE public.entity_field_history TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.entity_field_history TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.entity_field_sources TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.entity_field_sources TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.entity_field_sources TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.entity_relations TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.entity_relations TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.entity_relations TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.entity_responses TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.entity_responses TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.entity_responses TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.entity_types TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.entity_types TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.entity_types TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.entity_words TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.entity_words TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.entity_words TO goldloop_eraser;
GRANT SELECT ON TABLE public.erasure_blocks TO goldloop_app;
GRANT SELECT ON TABLE public.erasure_blocks TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.erasure_blocks TO goldloop_eraser;
GRANT SELECT ON TABLE public.erasure_items TO goldloop_app;
GRANT SELECT ON TABLE public.erasure_items TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.erasure_items TO goldloop_eraser;
GRANT SELECT ON TABLE public.erasures TO goldloop_app;
GRANT SELECT ON TABLE public.erasures TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.erasures TO goldloop_eraser;
GRANT SELECT,INSERT,UPDATE ON TABLE public.eval_experiments TO goldloop_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.eval_experiments TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.eval_experiments TO goldloop_eraser;
GRANT SELECT,INSERT,UPDATE ON TABLE public.eval_judge_labels TO goldloop_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.eval_judge_labels TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.eval_judge_labels TO goldloop_eraser;
GRANT SELECT,INSERT,UPDATE ON TABLE public.eval_judge_licences TO goldloop_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.eval_judge_licences TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.eval_judge_licences TO goldloop_eraser;
GRANT SELECT,INSERT,UPDATE ON TABLE public.eval_judge_sampled TO goldloop_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.eval_judge_sampled TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.eval_judge_sampled TO goldloop_eraser;
GRANT SELECT,INSERT,UPDATE ON TABLE public.eval_judge_samples TO goldloop_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.eval_judge_samples TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.eval_judge_samples TO goldloop_eraser;
GRANT SELECT,INSERT,UPDATE ON TABLE public.eval_judges TO goldloop_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.eval_judges TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.eval_judges TO goldloop_eraser;
GRANT SELECT,INSERT,UPDATE ON TABLE public.eval_replays TO goldloop_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.eval_replays TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.eval_replays TO goldloop_eraser;
GRANT SELECT,INSERT,UPDATE ON TABLE public.eval_runs TO goldloop_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.eval_runs TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.eval_runs TO goldloop_eraser;
GRANT SELECT,INSERT ON TABLE public.events TO goldloop_app;
GRANT SELECT,INSERT ON TABLE public.events TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.events TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.feedback TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.feedback TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.feedback TO goldloop_eraser;
GRANT SELECT,INSERT ON TABLE public.feedback_decisions TO goldloop_app;
GRANT SELECT,INSERT ON TABLE public.feedback_decisions TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.feedback_decisions TO goldloop_eraser;
GRANT SELECT,INSERT,UPDATE ON TABLE public.feedback_group_reviews TO goldloop_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.feedback_group_reviews TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.feedback_group_reviews TO goldloop_eraser;
GRANT SELECT,INSERT,UPDATE ON TABLE public.feedback_grouping TO goldloop_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.feedback_grouping TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.feedback_grouping TO goldloop_eraser;
GRANT SELECT,INSERT,UPDATE ON TABLE public.feedback_groups TO goldloop_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.feedback_groups TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.feedback_groups TO goldloop_eraser;
GRANT SELECT,INSERT ON TABLE public.feedback_moves TO goldloop_app;
GRANT SELECT,INSERT ON TABLE public.feedback_moves TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.feedback_moves TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE ON TABLE public.feedback_words TO goldloop_app;
GRANT SELECT,INSERT,DELETE ON TABLE public.feedback_words TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.feedback_words TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE ON TABLE public.golden_alternatives TO goldloop_app;
GRANT SELECT,INSERT,DELETE ON TABLE public.golden_alternatives TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.golden_alternatives TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.golden_sets TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.golden_sets TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.golden_sets TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.goldens TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.goldens TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.goldens TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.idempotency_keys TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.idempotency_keys TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.idempotency_keys TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.key_limits TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.key_limits TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.key_limits TO goldloop_eraser;
GRANT SELECT,INSERT,UPDATE ON TABLE public.knowledge_versions TO goldloop_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.knowledge_versions TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.knowledge_versions TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.list_columns TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.list_columns TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.list_columns TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.live_watchers TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.live_watchers TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.live_watchers TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.marks TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.marks TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.marks TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.memberships TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.memberships TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.otel_batches TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.otel_batches TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.otel_batches TO goldloop_eraser;
GRANT SELECT,INSERT,UPDATE ON TABLE public.otel_sources TO goldloop_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.otel_sources TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.otel_sources TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE ON TABLE public.otel_trace_batches TO goldloop_app;
GRANT SELECT,INSERT,DELETE ON TABLE public.otel_trace_batches TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.otel_trace_batches TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.otel_traces TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.otel_traces TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.otel_traces TO goldloop_eraser;
GRANT SELECT,INSERT,UPDATE ON TABLE public.parties TO goldloop_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.parties TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.parties TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.prompt_heads TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.prompt_heads TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.prompt_heads TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE ON TABLE public.prompt_manifest_rows TO goldloop_app;
GRANT SELECT,INSERT,DELETE ON TABLE public.prompt_manifest_rows TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.prompt_manifest_rows TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE ON TABLE public.prompt_manifests TO goldloop_app;
GRANT SELECT,INSERT,DELETE ON TABLE public.prompt_manifests TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.prompt_manifests TO goldloop_eraser;
GRANT UPDATE(last_had_at) ON TABLE public.prompt_manifests TO goldloop_app;
GRANT UPDATE(last_had_at) ON TABLE public.prompt_manifests TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.relation_scores TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.relation_scores TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.relation_scores TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.request_counts TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.request_counts TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.request_counts TO goldloop_eraser;
GRANT SELECT,INSERT ON TABLE public.response_sources TO goldloop_app;
GRANT SELECT,INSERT ON TABLE public.response_sources TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.response_sources TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.run_usage TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.run_usage TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.run_usage TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.runs TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.runs TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.runs TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.saved_lists TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.saved_lists TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.saved_lists TO goldloop_eraser;
GRANT SELECT,INSERT ON TABLE public.session_events TO goldloop_app;
GRANT SELECT,INSERT ON TABLE public.session_events TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.session_events TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE ON TABLE public.session_words TO goldloop_app;
GRANT SELECT,INSERT,DELETE ON TABLE public.session_words TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.session_words TO goldloop_eraser;
GRANT SELECT,INSERT,UPDATE ON TABLE public.sessions TO goldloop_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.sessions TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sessions TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.shared_context TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.shared_context TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.shared_context TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE ON TABLE public.shared_context_citations TO goldloop_app;
GRANT SELECT,INSERT,DELETE ON TABLE public.shared_context_citations TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.shared_context_citations TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE ON TABLE public.shared_context_groups TO goldloop_app;
GRANT SELECT,INSERT,DELETE ON TABLE public.shared_context_groups TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.shared_context_groups TO goldloop_eraser;
GRANT SELECT,INSERT ON TABLE public.shared_context_history TO goldloop_app;
GRANT SELECT,INSERT ON TABLE public.shared_context_history TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.shared_context_history TO goldloop_eraser;
GRANT UPDATE(before) ON TABLE public.shared_context_history TO goldloop_app;
GRANT UPDATE(before) ON TABLE public.shared_context_history TO goldloop_worker;
GRANT UPDATE(after) ON TABLE public.shared_context_history TO goldloop_app;
GRANT UPDATE(after) ON TABLE public.shared_context_history TO goldloop_worker;
GRANT SELECT,INSERT,DELETE ON TABLE public.shared_context_kept TO goldloop_app;
GRANT SELECT,INSERT,DELETE ON TABLE public.shared_context_kept TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.shared_context_kept TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.shared_context_support TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.shared_context_support TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.shared_context_support TO goldloop_eraser;
GRANT SELECT,INSERT,UPDATE ON TABLE public.shared_context_values TO goldloop_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.shared_context_values TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.shared_context_values TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE ON TABLE public.shared_context_words TO goldloop_app;
GRANT SELECT,INSERT,DELETE ON TABLE public.shared_context_words TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.shared_context_words TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.storage_measures TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.storage_measures TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.storage_measures TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.tasks TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.tasks TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.tasks TO goldloop_eraser;
GRANT SELECT ON TABLE public.tenants TO goldloop_app;
GRANT SELECT ON TABLE public.tenants TO goldloop_worker;
GRANT DELETE ON TABLE public.tenants TO goldloop_eraser;
GRANT UPDATE(name) ON TABLE public.tenants TO goldloop_app;
GRANT UPDATE(name) ON TABLE public.tenants TO goldloop_worker;
GRANT SELECT,INSERT,DELETE ON TABLE public.user_memories TO goldloop_app;
GRANT SELECT,INSERT,DELETE ON TABLE public.user_memories TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.user_memories TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.views TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.views TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.views TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhook_attempts TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhook_attempts TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhook_attempts TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhook_deliveries TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhook_deliveries TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhook_deliveries TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhook_endpoints TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhook_endpoints TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhook_endpoints TO goldloop_eraser;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.workspace_settings TO goldloop_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.workspace_settings TO goldloop_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.workspace_settings TO goldloop_eraser;
