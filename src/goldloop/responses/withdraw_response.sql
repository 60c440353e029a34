-- Takes a response out of lists and aggregates; kept for history. The record's score summary, when it came from
-- this response, comes from the newest one left. Not when values of it are promoted.
CREATE FUNCTION withdraw_response(p_response uuid) RETURNS text
LANGUAGE plpgsql AS $$
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
REVOKE ALL ON FUNCTION withdraw_response(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION withdraw_response(uuid) TO goldloop_app, goldloop_worker;
