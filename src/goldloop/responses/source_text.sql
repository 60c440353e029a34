-- The first of some keys of a source that has something in it, which is anybody's JSON.
CREATE FUNCTION source_text(p_source jsonb, VARIADIC p_keys text[]) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    key text;
    found text;
BEGIN
    FOREACH key IN ARRAY p_keys LOOP
        IF jsonb_typeof(p_source -> key) IN ('string', 'number') THEN
            found := btrim(p_source ->> key, E' \t\r\n');
            IF found <> '' THEN
                RETURN found;
            END IF;
        END IF;
    END LOOP;
    RETURN NULL;
END;
$$;
REVOKE ALL ON FUNCTION source_text(jsonb, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION source_text(jsonb, text[]) TO goldloop_app, goldloop_worker;
