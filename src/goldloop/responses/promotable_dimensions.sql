-- The filled dimensions that lead to a field of the record, as `promotable.py` has it.
CREATE FUNCTION promotable_dimensions(p_values jsonb, p_snapshot jsonb, p_properties jsonb) RETURNS text[]
LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(array_agg(d ->> 'key' ORDER BY d ->> 'key' COLLATE "C"), '{}')
    FROM jsonb_array_elements(p_snapshot) x (d)
    WHERE p_values ? (d ->> 'key') AND (d ? 'fieldName' OR coalesce(p_properties ? (d ->> 'key'), false))
$$;
REVOKE ALL ON FUNCTION promotable_dimensions(jsonb, jsonb, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION promotable_dimensions(jsonb, jsonb, jsonb) TO goldloop_app, goldloop_worker;
