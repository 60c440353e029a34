-- Takes back the promotions that fields' values come from, all or none: the value before each, and the source before it,
-- are current again. `undone` with its event, `conflict`, `changed_since` or `absent`. p_promotions is {field: promotion},
-- all of one response. The caller has checked the content without them, with the values that `source_before` says.
CREATE FUNCTION undo_promotion(
    p_entity uuid, p_promotions jsonb, p_expected_version integer, p_type_version integer, p_content jsonb,
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
    dimensions jsonb;
    response uuid;
    touched uuid[];
    moment timestamptz;
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
    SELECT jsonb_object_agg(h.field, h.dimension_key), (array_agg(h.response_id))[1] INTO dimensions, response
    FROM jsonb_each_text(p_promotions) p (f, id)
    JOIN public.entity_field_sources s ON s.tenant_id = tenant AND s.entity_id = p_entity AND s.field = p.f AND s.history_id = p.id::uuid
    JOIN public.entity_field_history h ON h.tenant_id = tenant AND h.id = s.history_id AND h.kind = 'promotion';
    IF dimensions IS NULL OR NOT dimensions ?& ARRAY(SELECT jsonb_object_keys(p_promotions)) THEN
        outcome := 'changed_since';
        RETURN;
    END IF;
    moment := public.moment();
    UPDATE public.entities SET content = p_content, version = version + 1, updated_at = moment
    WHERE tenant_id = tenant AND id = p_entity;
    PERFORM public.change_entity_words(p_entity, p_words_gone, p_words_new);
    touched := ARRAY[response];
    FOR undone IN SELECT p.f AS field, p.id::uuid AS id, dimensions ->> p.f AS dimension_key
                  FROM jsonb_each_text(p_promotions) p (f, id) ORDER BY p.f LOOP
        INSERT INTO public.entity_field_history (tenant_id, id, entity_id, field, kind, value, value_before, response_id,
            dimension_key, undoes_id, prior_source_id, entity_version, actor_kind, actor_id, created_at)
        VALUES (tenant, gen_random_uuid(), p_entity, undone.field, 'undo', p_content -> undone.field,
            held.content -> undone.field, NULL, NULL, undone.id, undone.id, held.version + 1,
            split_part(actor, ':', 1), nullif(split_part(actor, ':', 2), '')::uuid, moment);
        -- The field leaves the promoted fields of the response that is undone, and is among those of the one that is its
        -- source again, which may have left them by an undo of its own.
        UPDATE public.entity_responses SET promoted_fields = array_remove(promoted_fields, undone.dimension_key)
        WHERE tenant_id = tenant AND id = response;
        SELECT b.history_id INTO before FROM public.source_before(p_entity, undone.field, undone.id) b;
        IF before IS NULL THEN
            DELETE FROM public.entity_field_sources WHERE tenant_id = tenant AND entity_id = p_entity AND field = undone.field;
        ELSE
            UPDATE public.entity_field_sources SET history_id = before
            WHERE tenant_id = tenant AND entity_id = p_entity AND field = undone.field;
            SELECT h.response_id, h.dimension_key INTO earlier FROM public.entity_field_history h
            WHERE h.tenant_id = tenant AND h.id = before;
            UPDATE public.entity_responses SET promoted_fields = array_append(promoted_fields, earlier.dimension_key)
            WHERE tenant_id = tenant AND id = earlier.response_id AND earlier.dimension_key <> ALL (promoted_fields);
            touched := array_append(touched, earlier.response_id);
        END IF;
    END LOOP;
    PERFORM public.refresh_response_status(touched);
    event := public.emit_event(p_event, 'response.promotion_undone', 'entities', response::text,
        jsonb_build_object('entity_id', p_entity, 'response_id', response, 'fields', dimensions, 'version', held.version + 1,
            'type', held.slug));
    outcome := 'undone';
END;
$$;
REVOKE ALL ON FUNCTION undo_promotion(uuid, jsonb, integer, integer, jsonb, text[], text[], uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION undo_promotion(uuid, jsonb, integer, integer, jsonb, text[], text[], uuid) TO goldloop_app, goldloop_worker;
