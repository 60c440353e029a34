-- A record's score summary after p_response was withdrawn, rejected or reopened: from the newest scored response
-- that counts, of the criteria set that the summary stands on, or of the one that the type features.
CREATE FUNCTION refresh_response_summary(p_entity uuid, p_response uuid) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    held record;
    set_id uuid;
    newest record;
    summary jsonb;
BEGIN
    SELECT e.metadata -> 'response_summary' AS summary, public.featured_set(t.config) AS featured INTO held
    FROM public.entities e JOIN public.entity_types t ON t.tenant_id = e.tenant_id AND t.id = e.type_id
    WHERE e.tenant_id = tenant AND e.id = p_entity FOR NO KEY UPDATE OF e;
    SELECT r.criteria_set_id INTO set_id FROM public.entity_responses r WHERE r.tenant_id = tenant AND r.id = p_response;
    IF held.summary ->> 'latest_response_id' IS DISTINCT FROM p_response::text AND held.featured IS DISTINCT FROM set_id THEN
        RETURN;
    END IF;
    SELECT r.id, r.normalized_score, r.source INTO newest FROM public.entity_responses r
    WHERE r.tenant_id = tenant AND r.entity_id = p_entity AND r.withdrawn_at IS NULL AND r.status <> 'rejected'
      AND r.criteria_set_id = set_id AND r.normalized_score IS NOT NULL
    ORDER BY r.created_at DESC, r.id DESC LIMIT 1;
    IF newest.id IS NULL AND held.summary ->> 'latest_criteria_set_id' = set_id::text THEN
        UPDATE public.entities SET metadata = metadata - 'response_summary' WHERE tenant_id = tenant AND id = p_entity;
    ELSIF newest.id::text IS DISTINCT FROM held.summary ->> 'latest_response_id' AND newest.id IS NOT NULL THEN
        summary := jsonb_build_object('response_summary', jsonb_build_object(
            'latest_score', (newest.normalized_score * 100)::numeric::double precision, 'latest_response_id', newest.id,
            'latest_criteria_set_id', set_id, 'latest_source', newest.source, 'score_scale_max', 100,
            'updated_at', clock_timestamp()));
        UPDATE public.entities SET metadata = metadata || summary WHERE tenant_id = tenant AND id = p_entity;
    END IF;
END;
$$;
REVOKE ALL ON FUNCTION refresh_response_summary(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION refresh_response_summary(uuid, uuid) TO goldloop_app, goldloop_worker;
