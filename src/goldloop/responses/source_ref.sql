-- What a source of a value is called wherever it is named, so that all that rests on it is found: a record or a field of one by
-- its id, a document by its id or title, a page of the web by its address without the part after `#`. A name that is too long
-- for an index is cut and has a hash (`chain/refs.py` does the same with what is asked for). Null where nothing names it.
CREATE FUNCTION source_ref(p_source jsonb, p_entity uuid) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    kind text := p_source ->> 'type';
    record_id text := public.source_text(p_source, 'entity_id', 'entityId', 'id');
    name text;
BEGIN
    IF kind IN ('entity', 'field') THEN
        IF record_id ~ '^[{]?[0-9a-fA-F]{8}-?([0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}[}]?$' THEN
            record_id := record_id::uuid::text;
            IF kind = 'entity' THEN
                RETURN 'record:' || record_id;
            END IF;
        ELSIF kind = 'field' THEN
            record_id := p_entity::text;
        END IF;
    END IF;
    name := CASE kind
        WHEN 'web' THEN split_part(public.source_text(p_source, 'url', 'title', 'name', 'label'), '#', 1)
        WHEN 'document' THEN public.source_text(p_source, 'document_id', 'documentId', 'id', 'title', 'name', 'label', 'url')
        WHEN 'entity' THEN public.source_text(p_source, 'entity_id', 'entityId', 'id', 'title', 'name', 'label')
        WHEN 'field' THEN public.source_text(p_source, 'field', 'field_key', 'name', 'label', 'title')
    END;
    IF name IS NULL OR name = '' THEN
        RETURN NULL;
    ELSIF length(name) > 300 THEN
        name := left(name, 260) || '~' || left(encode(sha256(convert_to(name, 'UTF8')), 'hex'), 32);
    END IF;
    RETURN CASE WHEN kind = 'field' THEN 'field:' || record_id || '/' || name ELSE 'source:' || kind || ':' || name END;
END;
$$;
REVOKE ALL ON FUNCTION source_ref(jsonb, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION source_ref(jsonb, uuid) TO goldloop_app, goldloop_worker;
