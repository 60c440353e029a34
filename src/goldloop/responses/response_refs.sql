-- The sources and sessions that the values of a response come from, each once, with the dimensions that name it.
CREATE FUNCTION response_refs(p_entity uuid, p_field_meta jsonb) RETURNS TABLE (ref text, title text, dimensions text[])
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN QUERY
    SELECT x.ref, left(min(x.title), 300), array_agg(DISTINCT x.dimension ORDER BY x.dimension)
    FROM (
        SELECT m.key AS dimension, public.source_ref(s.value, p_entity) AS ref,
               public.source_text(s.value, 'title', 'name', 'label') AS title
        FROM jsonb_each(p_field_meta) m
        CROSS JOIN LATERAL jsonb_array_elements(
            CASE WHEN jsonb_typeof(m.value -> 'sources') = 'array' THEN m.value -> 'sources' ELSE '[]' END) s
        WHERE jsonb_typeof(s.value) = 'object'
        UNION ALL
        SELECT m.key, 'session:' || (m.value ->> 'session_id')::uuid::text, NULL FROM jsonb_each(p_field_meta) m
        WHERE m.value ->> 'session_id' ~ '^[{]?[0-9a-fA-F]{8}-?([0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}[}]?$'
    ) x
    WHERE x.ref IS NOT NULL GROUP BY x.ref;
END;
$$;
REVOKE ALL ON FUNCTION response_refs(uuid, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION response_refs(uuid, jsonb) TO goldloop_app, goldloop_worker;
