-- Takes back the promotion that a field's value comes from: the value before it, and the source before it, are
-- current again. `undone` with its event, `conflict`, `changed_since` or `absent`. The caller has checked the content without it, with the value that `source_before` says.
CREATE FUNCTION undo_promotion(
    p_entity uuid, p_field text, p_promotion uuid, p_expected_version integer, p_type_version integer, p_content jsonb,
    p_words_gone text[], p_words_new text[], p_event uuid,
    OUT outcome text, OUT event jsonb
)
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    actor text := current_setting('app.actor', true);
    held record;
    undone record;
    before uuid;
    earlier record;
    moment timestamptz;
BEGIN
    SELECT e.version, e.content, t.version AS type_version, t.slug INTO held
    FROM public.entities e JOIN public.entity_types t ON t.tenant_id = e.tenant_id AND t.id = e.type_id
    WHERE e.tenant_id = tenant AND e.id = p_entity FOR NO KEY UPDATE OF e FOR SHARE OF t;
    IF NOT FOUND THEN
        outcome := 'absent';
        RETURN;
    ELSIF held.version <> p_expected_version OR held.type_version <> p_type_version THEN
        outcome := 'conflict';
        RETURN;
    END IF;
    SELECT h.id, h.response_id, h.dimension_key INTO undone
    FROM public.entity_field_sources s
    JOIN public.entity_field_history h ON h.tenant_id = s.tenant_id AND h.id = s.history_id
    WHERE s.tenant_id = tenant AND s.entity_id = p_entity AND s.field = p_field AND h.id = p_promotion AND h.kind = 'promotion';
    IF NOT FOUND THEN
        outcome := 'changed_since';
        RETURN;
    END IF;
    moment := public.moment();
    UPDATE public.entities SET content = p_content, version = version + 1, updated_at = moment
    WHERE tenant_id = tenant AND id = p_entity;
    PERFORM public.change_entity_words(p_entity, p_words_gone, p_words_new);
    INSERT INTO public.entity_field_history (tenant_id, id, entity_id, field, kind, value, value_before, response_id,
        dimension_key, undoes_id, prior_source_id, entity_version, actor_kind, actor_id, created_at)
    VALUES (tenant, gen_random_uuid(), p_entity, p_field, 'undo', p_content -> p_field, held.content -> p_field, NULL,
        NULL, undone.id, undone.id, held.version + 1,
        split_part(actor, ':', 1), nullif(split_part(actor, ':', 2), '')::uuid, moment);
    -- The field leaves the promoted fields of the response that is undone, and is among those of the one that is its
    -- source again, which may have left them by an undo of its own.
    UPDATE public.entity_responses SET promoted_fields = array_remove(promoted_fields, undone.dimension_key)
    WHERE tenant_id = tenant AND id = undone.response_id;
    SELECT b.history_id INTO before FROM public.source_before(p_entity, p_field, undone.id) b;
    SELECT h.response_id, h.dimension_key INTO earlier FROM public.entity_field_history h
    WHERE h.tenant_id = tenant AND h.id = before;
    IF before IS NULL THEN
        DELETE FROM public.entity_field_sources WHERE tenant_id = tenant AND entity_id = p_entity AND field = p_field;
    ELSE
        UPDATE public.entity_field_sources SET history_id = before
        WHERE tenant_id = tenant AND entity_id = p_entity AND field = p_field;
        UPDATE public.entity_responses SET promoted_fields = array_append(promoted_fields, earlier.dimension_key)
        WHERE tenant_id = tenant AND id = earlier.response_id AND earlier.dimension_key <> ALL (promoted_fields);
    END IF;
    PERFORM public.refresh_response_status(ARRAY[undone.response_id, earlier.response_id]);
    event := public.emit_event(p_event, 'response.promotion_undone', 'entities', undone.response_id::text,
        jsonb_build_object('entity_id', p_entity, 'response_id', undone.response_id, 'field', p_field, 'version', held.version + 1,
            'type', held.slug));
    outcome := 'undone';
END;
$$;
REVOKE ALL ON FUNCTION undo_promotion(uuid, text, uuid, integer, integer, jsonb, text[], text[], uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION undo_promotion(uuid, text, uuid, integer, integer, jsonb, text[], text[], uuid) TO goldloop_app, goldloop_worker;
