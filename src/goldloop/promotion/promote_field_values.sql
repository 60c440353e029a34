-- Promotion: values of one response become content of its record, all or none, under one row lock. The caller has
-- checked the new content against the schema of p_type_version, at the record's p_expected_version. One row: what came
-- of it, what of the response has changed, and the event.
-- p_dimensions is {field: dimension key}.
CREATE FUNCTION promote_field_values(
    p_entity uuid, p_response uuid, p_expected_version integer, p_type_version integer, p_content jsonb, p_dimensions jsonb,
    p_words_gone text[], p_words_new text[], p_event uuid, OUT outcome text, OUT status text, OUT promoted_fields text[], OUT reviewed_at timestamptz,
    OUT waits boolean, OUT event jsonb
)
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    actor text := current_setting('app.actor', true);
    held record;
    given record;
    before text[];
BEGIN
    SELECT e.version, e.content || '{}' AS content,  -- unpacked here, and not again for every field
           t.version AS type_version, t.slug INTO held
    FROM public.entities e JOIN public.entity_types t ON t.tenant_id = e.tenant_id AND t.id = e.type_id
    WHERE e.tenant_id = tenant AND e.id = p_entity FOR NO KEY UPDATE OF e FOR SHARE OF t;
    IF NOT FOUND THEN
        outcome := 'absent';
        RETURN;
    ELSIF held.version <> p_expected_version OR held.type_version <> p_type_version THEN
        outcome := 'conflict';
        RETURN;
    END IF;
    -- By its id alone: with the record beside it, a plan may go through all responses to that.
    SELECT r.entity_id, r.promoted_fields INTO given FROM public.entity_responses r
    WHERE r.tenant_id = tenant AND r.id = p_response
      AND r.status NOT IN ('rejected', 'superseded') AND r.withdrawn_at IS NULL FOR NO KEY UPDATE;
    IF given.entity_id IS DISTINCT FROM p_entity THEN
        outcome := 'not_promotable';
        RETURN;
    END IF;
    before := given.promoted_fields;
    SELECT jsonb_object_agg(x.f, x.d) INTO p_dimensions  -- without the fields whose value comes from there already
    FROM jsonb_each_text(p_dimensions) x (f, d)
    WHERE (held.content -> x.f) IS DISTINCT FROM (p_content -> x.f) OR NOT EXISTS (
        SELECT FROM public.entity_field_sources s
        JOIN public.entity_field_history h ON h.tenant_id = s.tenant_id AND h.id = s.history_id
        WHERE s.tenant_id = tenant AND s.entity_id = p_entity AND s.field = x.f
          AND h.response_id = p_response AND h.dimension_key = x.d);
    IF p_dimensions IS NULL THEN
        outcome := 'unchanged';
        RETURN;
    END IF;
    reviewed_at := public.moment();
    promoted_fields := before
        || ARRAY(SELECT x.d FROM jsonb_each_text(p_dimensions) x (f, d) WHERE x.d <> ALL (before) ORDER BY x.d);
    UPDATE public.entities SET content = p_content, version = version + 1, updated_at = promote_field_values.reviewed_at
    WHERE tenant_id = tenant AND id = p_entity;
    PERFORM public.change_entity_words(p_entity, p_words_gone, p_words_new);
    PERFORM public.record_field_changes(p_entity, 'promotion', held.content, p_content, held.version + 1, p_response, p_dimensions);
    UPDATE public.entity_responses r
    SET promoted_fields = promote_field_values.promoted_fields,
        status = public.derive_response_status(r.status, r.promotable_fields, promote_field_values.promoted_fields, true),
        reviewed_by_kind = split_part(actor, ':', 1), reviewed_by = nullif(split_part(actor, ':', 2), '')::uuid,
        reviewed_at = promote_field_values.reviewed_at
    WHERE r.tenant_id = tenant AND r.id = p_response
    RETURNING 'promoted', r.status, r.waits INTO outcome, status, waits;
    event := public.emit_event(p_event, 'response.promoted', 'entities', p_response::text,
        jsonb_build_object('entity_id', p_entity, 'response_id', p_response, 'fields', p_dimensions, 'version', held.version + 1,
            'type', held.slug));
END;
$$;
REVOKE ALL ON FUNCTION promote_field_values(uuid, uuid, integer, integer, jsonb, jsonb, text[], text[], uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION promote_field_values(uuid, uuid, integer, integer, jsonb, jsonb, text[], text[], uuid) TO goldloop_app, goldloop_worker;
