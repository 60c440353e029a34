-- After a type has changed: which dimensions lead to a field now, and the statuses that follow; and where it features
-- another criteria set, the score of each record that was rated with that one. Other records keep the score they have.
-- Records are locked first, as promotion does: two never wait for each other.
CREATE FUNCTION refresh_type_responses(p_slug text) RETURNS void
LANGUAGE plpgsql AS $$
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
REVOKE ALL ON FUNCTION refresh_type_responses(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION refresh_type_responses(text) TO goldloop_app, goldloop_worker;
