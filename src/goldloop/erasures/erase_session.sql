-- A session with its events, words and traces, and all text that comparing it has left; figures of replays stay. What it has
-- in the blob store is noted for whoever deletes it there. Returns how many rows went, by table.
CREATE FUNCTION erase_session(p_erasure uuid, p_session uuid) RETURNS jsonb
LANGUAGE plpgsql AS $$
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
REVOKE ALL ON FUNCTION erase_session(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_session(uuid, uuid) TO goldloop_eraser;
