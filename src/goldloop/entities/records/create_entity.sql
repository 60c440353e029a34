-- A record with the history of its first values. The type is held, so that its schema is still the one that
-- the content was checked against.
CREATE FUNCTION create_entity(
    p_id uuid, p_type uuid, p_type_version integer, p_title text, p_content jsonb, p_metadata jsonb, p_words text[]
) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    actor text := current_setting('app.actor', true);
    type_version integer;
BEGIN
    SELECT t.version INTO type_version FROM public.entity_types t
    WHERE t.tenant_id = tenant AND t.id = p_type FOR SHARE;
    IF type_version IS DISTINCT FROM p_type_version THEN
        RETURN 'stale';
    END IF;
    INSERT INTO public.entities (tenant_id, id, type_id, title, content, metadata, created_by_kind, created_by_id)
    VALUES (tenant, p_id, p_type, p_title, p_content, p_metadata - 'response_summary',  -- the server's own
            split_part(actor, ':', 1), nullif(split_part(actor, ':', 2), '')::uuid)
    ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        RETURN 'taken';
    END IF;
    PERFORM public.change_entity_words(p_id, '{}', p_words);
    PERFORM public.record_field_changes(p_id, 'edit', '{}'::jsonb, p_content, 1);
    RETURN 'made';
END;
$$;
REVOKE ALL ON FUNCTION create_entity(uuid, uuid, integer, text, jsonb, jsonb, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION create_entity(uuid, uuid, integer, text, jsonb, jsonb, text[]) TO goldloop_app, goldloop_worker;
