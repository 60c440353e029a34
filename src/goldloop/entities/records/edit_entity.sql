-- A direct edit, in one row lock: only if the record is at the version that the editor saw and the type at the
-- version that the content was checked against. Null metadata stays as it is.
CREATE FUNCTION edit_entity(
    p_id uuid, p_expected_version integer, p_type_version integer, p_title text, p_content jsonb, p_metadata jsonb,
    p_words_gone text[], p_words_new text[]
) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    held record;
    type_version integer;
    moment timestamptz;
BEGIN
    SELECT e.version, e.content, e.metadata -> 'response_summary' AS summary, e.type_id INTO held FROM public.entities e
    WHERE e.tenant_id = tenant AND e.id = p_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN 'absent';
    ELSIF held.version <> p_expected_version THEN
        RETURN 'conflict';
    END IF;
    SELECT t.version INTO type_version FROM public.entity_types t
    WHERE t.tenant_id = tenant AND t.id = held.type_id FOR SHARE;
    IF type_version <> p_type_version THEN
        RETURN 'stale';
    END IF;
    p_metadata := p_metadata - 'response_summary';  -- the server's own, not the editor's
    IF held.summary IS NOT NULL THEN
        p_metadata := p_metadata || jsonb_build_object('response_summary', held.summary);
    END IF;
    moment := public.moment();
    UPDATE public.entities SET title = p_title, content = p_content, version = version + 1,
        metadata = coalesce(p_metadata, metadata), updated_at = moment
    WHERE tenant_id = tenant AND id = p_id;
    PERFORM public.change_entity_words(p_id, p_words_gone, p_words_new);
    PERFORM public.record_field_changes(p_id, 'edit', held.content, p_content, held.version + 1);
    RETURN 'changed';
END;
$$;
REVOKE ALL ON FUNCTION edit_entity(uuid, integer, integer, text, jsonb, jsonb, text[], text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION edit_entity(uuid, integer, integer, text, jsonb, jsonb, text[], text[]) TO goldloop_app, goldloop_worker;
