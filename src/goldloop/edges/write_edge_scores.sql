-- The cached scores of a record's connections through one field with one criteria set, as p_scores has them:
-- {target id: {…, score}}. Connections through it that are not in it lose theirs. Writes only what differs; returns how many connections did.
CREATE FUNCTION write_edge_scores(p_source uuid, p_set uuid, p_field text, p_scores jsonb) RETURNS integer
LANGUAGE plpgsql AS $$
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
REVOKE ALL ON FUNCTION write_edge_scores(uuid, uuid, text, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION write_edge_scores(uuid, uuid, text, jsonb) TO goldloop_worker;
