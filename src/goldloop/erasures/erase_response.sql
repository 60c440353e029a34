-- A response; one of which values are promoted stays as their source, without a word of what was not: `kept` says which.
CREATE FUNCTION erase_response(p_response uuid, OUT gone jsonb, OUT kept boolean)
LANGUAGE plpgsql AS $$
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
REVOKE ALL ON FUNCTION erase_response(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_response(uuid) TO goldloop_eraser;
