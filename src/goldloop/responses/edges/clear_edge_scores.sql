-- Takes from a record's connections the cached scores of every criteria set but those in p_kept, and whatever else
-- stands in place of scores.
CREATE FUNCTION clear_edge_scores(p_source uuid, p_kept uuid[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    UPDATE public.entity_relations r
    SET metadata = CASE WHEN w.scores = '{}' THEN r.metadata - 'scores'
                        ELSE jsonb_set(r.metadata, '{scores}', w.scores) END
    FROM (SELECT o.id, coalesce((SELECT jsonb_object_agg(s.key, s.value)
              FROM jsonb_each(CASE WHEN jsonb_typeof(o.metadata -> 'scores') = 'object' THEN o.metadata -> 'scores' ELSE '{}' END) s
              WHERE s.key = ANY (p_kept::text[])), '{}') AS scores
          FROM public.entity_relations o
          WHERE o.tenant_id = tenant AND o.source_id = p_source AND o.metadata ? 'scores') w
    WHERE r.tenant_id = tenant AND r.id = w.id AND (r.metadata -> 'scores') IS DISTINCT FROM w.scores;
    DELETE FROM public.relation_scores s
    WHERE s.tenant_id = tenant AND s.source_id = p_source AND s.criteria_set_id <> ALL (p_kept);
END;
$$;
REVOKE ALL ON FUNCTION clear_edge_scores(uuid, uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION clear_edge_scores(uuid, uuid[]) TO goldloop_worker;
