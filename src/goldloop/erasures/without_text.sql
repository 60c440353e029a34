-- A JSON value whose texts are gone: names, kinds, ids, numbers and the shape stay.
CREATE FUNCTION without_text(p_value jsonb, p_instead text) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    CASE jsonb_typeof(p_value)
        WHEN 'object' THEN
            RETURN coalesce((SELECT jsonb_object_agg(v.key, CASE WHEN v.key IN ('id', 'name', 'type', 'model', 'role', 'status', 'code')
                AND jsonb_typeof(v.value) = 'string' THEN v.value ELSE public.without_text(v.value, p_instead) END)
                FROM jsonb_each(p_value) AS v (key, value)), '{}');
        WHEN 'array' THEN
            RETURN coalesce((SELECT jsonb_agg(public.without_text(v.value, p_instead) ORDER BY v.place)
                FROM jsonb_array_elements(p_value) WITH ORDINALITY AS v (value, place)), '[]');
        WHEN 'string' THEN
            RETURN CASE WHEN p_value #>> '{}' ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' THEN p_value
                        ELSE to_jsonb(p_instead) END;
        ELSE
            RETURN p_value;
    END CASE;
END;
$$;
REVOKE ALL ON FUNCTION without_text(jsonb, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION without_text(jsonb, text) TO goldloop_eraser;
