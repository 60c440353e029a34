-- Sessions that read of what an erasure is about (the review agent's, say): from the event on in which one of its ids is named
-- first, they lose their text, and so do what they ended with and the words that they are found by. p_limit sessions after
-- p_after, of those that ran here; `last` is where to go on, null at the end.
CREATE FUNCTION scrub_sessions(p_erasure uuid, p_after uuid, p_limit integer, p_instead text, OUT last uuid, OUT gone jsonb)
LANGUAGE plpgsql AS $$
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
REVOKE ALL ON FUNCTION scrub_sessions(uuid, uuid, integer, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION scrub_sessions(uuid, uuid, integer, text) TO goldloop_eraser;
