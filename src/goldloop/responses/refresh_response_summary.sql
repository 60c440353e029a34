-- A record's score summary after p_response was withdrawn, rejected or reopened: from the responses that count now, of
-- the criteria set that the summary stands on, or of the one that the type features.
CREATE FUNCTION refresh_response_summary(p_entity uuid, p_response uuid) RETURNS void
LANGUAGE plpgsql AS $$
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
REVOKE ALL ON FUNCTION refresh_response_summary(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION refresh_response_summary(uuid, uuid) TO goldloop_app, goldloop_worker;
