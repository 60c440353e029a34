-- Promotion: values of one response become content of its record, all or none, under one row lock. The caller has
-- checked the new content against the schema of p_type_version, at the record's p_expected_version.
-- p_dimensions is {field: dimension key}.
CREATE FUNCTION promote_field_values(
    p_entity uuid, p_response uuid, p_expected_version integer, p_type_version integer, p_content jsonb, p_dimensions jsonb,
    p_event uuid
) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    actor text := current_setting('app.actor', true);
    held record;
    promoted text[];
BEGIN
    SELECT e.version, e.content, t.version AS type_version INTO held
    FROM public.entities e JOIN public.entity_types t ON t.tenant_id = e.tenant_id AND t.id = e.type_id
    WHERE e.tenant_id = tenant AND e.id = p_entity FOR NO KEY UPDATE OF e FOR SHARE OF t;
    IF NOT FOUND THEN
        RETURN 'absent';
    ELSIF held.version <> p_expected_version OR held.type_version <> p_type_version THEN
        RETURN 'conflict';
    END IF;
    UPDATE public.entity_responses r
    SET promoted_fields = r.promoted_fields
            || ARRAY(SELECT d FROM jsonb_each_text(p_dimensions) x (f, d) WHERE d <> ALL (r.promoted_fields) ORDER BY d),
        reviewed_by_kind = split_part(actor, ':', 1), reviewed_by = nullif(split_part(actor, ':', 2), '')::uuid,
        reviewed_at = clock_timestamp()
    WHERE r.tenant_id = tenant AND r.id = p_response AND r.entity_id = p_entity
      AND r.status NOT IN ('rejected', 'superseded') AND r.withdrawn_at IS NULL
    RETURNING r.promoted_fields INTO promoted;
    IF NOT FOUND THEN
        RETURN 'not_promotable';
    END IF;
    UPDATE public.entities SET content = p_content, version = version + 1, updated_at = clock_timestamp()
    WHERE tenant_id = tenant AND id = p_entity;
    PERFORM public.record_field_changes(p_entity, 'promotion', held.content, p_content, held.version + 1, p_response, p_dimensions);
    PERFORM public.refresh_response_status(ARRAY[p_response]);
    PERFORM public.emit_event(p_event, 'response.promoted', 'entities', p_response::text,
        jsonb_build_object('entity_id', p_entity, 'response_id', p_response, 'fields', p_dimensions, 'version', held.version + 1));
    RETURN 'promoted';
END;
$$;
REVOKE ALL ON FUNCTION promote_field_values(uuid, uuid, integer, integer, jsonb, jsonb, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION promote_field_values(uuid, uuid, integer, integer, jsonb, jsonb, uuid) TO goldloop_app, goldloop_worker;
