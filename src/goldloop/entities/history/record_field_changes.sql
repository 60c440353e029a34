-- The history of every field in which two contents differ, these entries as the fields' present source, and the
-- statuses of the responses that were it before. At most one entry per field and version of the record.
CREATE FUNCTION record_field_changes(
    p_entity uuid, p_kind text, p_before jsonb, p_after jsonb, p_version integer,
    p_response uuid DEFAULT NULL, p_dimensions jsonb DEFAULT '{}'
) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    actor text := current_setting('app.actor', true);
    many constant integer := 100;  -- fields; fewer are checked soon enough by any plan
    changed record;
    held jsonb;  -- looked up by field and not joined: a plan made while the table was small would read it for every field
    moment timestamptz := public.moment();  -- the caller holds the record
    earlier uuid[];
    displaced uuid[];
BEGIN
    -- Each content is read once: a lookup by field would unpack a stored one again for every field.
    SELECT array_agg(gen_random_uuid()) AS ids, array_agg(field) AS fields, array_agg(b.value) AS before, array_agg(a.value) AS after INTO changed
    FROM jsonb_each(p_before) b (field, value) FULL JOIN jsonb_each(p_after) a (field, value) USING (field)
    WHERE b.value IS DISTINCT FROM a.value OR p_dimensions ? field;
    IF cardinality(changed.fields) > many THEN
        -- Plans of foreign keys are kept. Those made while a table was small read all of a tenant's rows for each field.
        DISCARD PLANS;
    END IF;
    SELECT jsonb_object_agg(s.field, s.history_id) INTO held FROM public.entity_field_sources s
    WHERE s.tenant_id = tenant AND s.entity_id = p_entity;
    WITH written AS (
        INSERT INTO public.entity_field_history (tenant_id, id, entity_id, field, kind, value, value_before,
            response_id, dimension_key, prior_source_id, entity_version, actor_kind, actor_id, created_at)
        SELECT tenant, c.id, p_entity, c.field, p_kind, c.value, c.value_before,
               p_response, p_dimensions ->> c.field, (held ->> c.field)::uuid, p_version,
               split_part(actor, ':', 1), nullif(split_part(actor, ':', 2), '')::uuid, moment
        FROM unnest(changed.ids, changed.fields, changed.before, changed.after) c (id, field, value_before, value)
        RETURNING prior_source_id
    )
    SELECT array_agg(w.prior_source_id) INTO earlier FROM written w WHERE w.prior_source_id IS NOT NULL;
    INSERT INTO public.entity_field_sources (tenant_id, entity_id, field, history_id)
    SELECT tenant, p_entity, c.field, c.id FROM unnest(changed.ids, changed.fields) c (id, field)
    ON CONFLICT (tenant_id, entity_id, field) DO UPDATE SET history_id = excluded.history_id;
    IF earlier IS NOT NULL THEN
        -- With the record, and without what an index of responses holds: a plan made while the table was small would go through
        -- all of a tenant's promotions by that.
        SELECT array_agg(DISTINCT h.response_id) FILTER (WHERE h.response_id IS NOT NULL) INTO displaced
        FROM public.entity_field_history h WHERE h.tenant_id = tenant AND h.entity_id = p_entity AND h.id = ANY (earlier);
    END IF;
    IF displaced IS NOT NULL THEN
        PERFORM public.refresh_response_status(displaced);
    END IF;
END;
$$;
REVOKE ALL ON FUNCTION record_field_changes(uuid, text, jsonb, jsonb, integer, uuid, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION record_field_changes(uuid, text, jsonb, jsonb, integer, uuid, jsonb) TO goldloop_app, goldloop_worker;
