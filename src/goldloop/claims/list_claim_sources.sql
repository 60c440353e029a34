-- The records of p_type that support a claim through p_field, each with its newest rating by the set p_set that has
-- promoted values, and the mean of that rating's numbers. By id, after p_after, p_limit of them or (null) all.
CREATE FUNCTION list_claim_sources(p_claim uuid, p_type text, p_field text, p_set text, p_after uuid, p_limit integer)
RETURNS TABLE (id uuid, title text, response_id uuid, ratings jsonb, quality double precision)
LANGUAGE plpgsql STABLE AS $$
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
REVOKE ALL ON FUNCTION list_claim_sources(uuid, text, text, text, uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION list_claim_sources(uuid, text, text, text, uuid, integer) TO goldloop_app, goldloop_worker;
