-- Events to the end of a session, in the order given, with its counts: `absent` where there is no such session, `ended`
-- where it is over or golden, `lost` where somebody else has claimed it since, else `appended`. Without a claim it is a session that
-- runs elsewhere, which goes on when it was taken for stalled. Whoever records one (p_watch) gets `here` where it runs here,
-- and one that was stalled is looked at again after that time. What is late (p_late) is also added to a session that is
-- over, which stays so. What is there under its id already stays as it is, so that
-- sending twice is sending once. Writers of a session come one after the other, so that `seq` has no gaps.
CREATE FUNCTION append_session_events(
    p_session uuid, p_events jsonb, p_words text[], p_claim integer, p_late boolean, p_watch interval,
    OUT outcome text, OUT added integer, OUT events integer
)
LANGUAGE plpgsql AS $$
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
REVOKE ALL ON FUNCTION append_session_events(uuid, jsonb, text[], integer, boolean, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION append_session_events(uuid, jsonb, text[], integer, boolean, interval)
    TO goldloop_app, goldloop_worker;
