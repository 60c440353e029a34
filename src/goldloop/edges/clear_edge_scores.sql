-- Takes from a record's connections the cached scores of every criteria set and field but those in p_sets and p_fields,
-- which belong together, and whatever else stands in place of scores. Returns how many had some.
CREATE FUNCTION clear_edge_scores(p_source uuid, p_sets uuid[], p_fields text[]) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    changed integer;
    dropped integer;
BEGIN
    UPDATE public.entity_relations r
    SET metadata = CASE WHEN w.scores = '{}' THEN r.metadata - 'scores'
                        ELSE jsonb_set(r.metadata, '{scores}', w.scores) END
    FROM (SELECT o.id, coalesce((SELECT jsonb_object_agg(s.key, s.value)
              FROM jsonb_each(CASE WHEN jsonb_typeof(o.metadata -> 'scores') = 'object' THEN o.metadata -> 'scores' ELSE '{}' END) s
              JOIN unnest(p_sets, p_fields) k (set_id, field) ON k.set_id::text = s.key AND k.field = o.field_key), '{}') AS scores
          FROM public.entity_relations o
          WHERE o.tenant_id = tenant AND o.source_id = p_source AND o.metadata ? 'scores') w
    WHERE r.tenant_id = tenant AND r.id = w.id
      AND (w.scores = '{}' OR (r.metadata -> 'scores') IS DISTINCT FROM w.scores);
    GET DIAGNOSTICS changed = ROW_COUNT;
    DELETE FROM public.relation_scores s
    WHERE s.tenant_id = tenant AND s.source_id = p_source AND NOT EXISTS (
        SELECT FROM public.entity_relations r
        JOIN unnest(p_sets, p_fields) k (set_id, field) ON k.set_id = s.criteria_set_id AND k.field = r.field_key
        WHERE r.tenant_id = tenant AND r.id = s.relation_id AND r.source_id = p_source AND r.field_key = s.field_key);
    GET DIAGNOSTICS dropped = ROW_COUNT;
    RETURN greatest(changed, dropped);
END;
$$;
REVOKE ALL ON FUNCTION clear_edge_scores(uuid, uuid[], text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION clear_edge_scores(uuid, uuid[], text[]) TO goldloop_worker;
