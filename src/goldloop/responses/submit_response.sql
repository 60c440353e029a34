-- One submission: the response, the record's score summary where its type features the set, and its event, in one call.
-- The caller has checked the values by a version of the record's type and one of the criteria set, each of which is told by
-- its number and its time: where they are not those of now, or the record is of another type, nothing is written. The set is
-- held, so that it stays that version; a record whose summary changes is held before the time is taken, so that the summary is
-- that of the newest response.
CREATE FUNCTION submit_response(
    p_id uuid, p_entity uuid, p_set uuid, p_set_version integer, p_snapshot jsonb, p_source text,
    p_values jsonb, p_field_meta jsonb, p_weighted double precision, p_normalized double precision,
    p_promotable text[], p_parent uuid, p_temporal_value text, p_notes text, p_scope jsonb, p_event uuid,
    p_set_at timestamptz, p_type uuid, p_type_version integer, p_type_at timestamptz,
    OUT outcome text, OUT created_at timestamptz, OUT waits boolean, OUT event jsonb
)
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    actor_kind text := split_part(current_setting('app.actor', true), ':', 1);
    actor_id uuid := nullif(split_part(current_setting('app.actor', true), ':', 2), '')::uuid;
    is_featured boolean;
    target record;
    summary jsonb;
BEGIN
    PERFORM FROM public.criteria_sets c
    WHERE c.tenant_id = tenant AND c.id = p_set AND c.version = p_set_version AND c.updated_at = p_set_at
      AND c.archived_at IS NULL FOR SHARE;
    IF NOT FOUND THEN
        outcome := 'stale';
        RETURN;
    END IF;
    SELECT t.id AS type_id, t.version, t.updated_at, public.featured_set(t.config) AS featured INTO target
    FROM public.entities e JOIN public.entity_types t ON t.tenant_id = e.tenant_id AND t.id = e.type_id
    WHERE e.tenant_id = tenant AND e.id = p_entity;
    IF FOUND AND (target.type_id <> p_type OR target.version <> p_type_version OR target.updated_at <> p_type_at) THEN
        outcome := 'type_changed';
        RETURN;
    END IF;
    is_featured := p_normalized IS NOT NULL AND coalesce(target.featured = p_set, false);
    IF is_featured THEN
        PERFORM FROM public.entities e WHERE e.tenant_id = tenant AND e.id = p_entity FOR NO KEY UPDATE;
    ELSE
        PERFORM FROM public.entities e WHERE e.tenant_id = tenant AND e.id = p_entity FOR KEY SHARE;
    END IF;
    IF NOT FOUND THEN
        outcome := 'absent';
        RETURN;
    END IF;
    created_at := public.moment();
    INSERT INTO public.entity_responses (tenant_id, id, entity_id, criteria_set_id, criteria_snapshot, submitted_by_user,
        submitted_by_agent, source, values, field_meta, weighted_score, normalized_score, promotable_fields,
        parent_response_id, temporal_value, notes, scope, created_at, type_id)
    VALUES (tenant, p_id, p_entity, p_set, p_snapshot, CASE WHEN actor_kind = 'user' THEN actor_id END,
        CASE WHEN actor_kind = 'agent' THEN actor_id END, p_source, p_values, p_field_meta, p_weighted, p_normalized,
        p_promotable, p_parent, p_temporal_value, p_notes, p_scope, submit_response.created_at, target.type_id)
    ON CONFLICT DO NOTHING RETURNING entity_responses.waits INTO waits;
    IF NOT FOUND THEN
        outcome := 'taken';
        RETURN;
    END IF;
    IF p_field_meta <> '{}' THEN
        INSERT INTO public.response_sources (tenant_id, response_id, ref, title, dimensions)
        SELECT tenant, p_id, x.ref, x.title, x.dimensions FROM public.response_refs(p_entity, p_field_meta) x
        ON CONFLICT DO NOTHING;
    END IF;
    IF is_featured THEN
        summary := jsonb_build_object('response_summary', public.compute_response_summary(p_entity, p_set, created_at));
        UPDATE public.entities e SET metadata = e.metadata || summary WHERE e.tenant_id = tenant AND e.id = p_entity;
    END IF;
    event := public.emit_event(p_event, 'response.submitted', 'entities', p_id::text,
        jsonb_build_object('entity_id', p_entity, 'response_id', p_id, 'criteria_set_id', p_set, 'source', p_source)
        || CASE WHEN p_scope IS NULL THEN '{}'::jsonb ELSE jsonb_build_object('field_key', p_scope -> 'fieldKey') END);
    outcome := 'submitted';
END;
$$;
REVOKE ALL ON FUNCTION submit_response(uuid, uuid, uuid, integer, jsonb, text, jsonb, jsonb, double precision, double precision, text[], uuid, text, text, jsonb, uuid, timestamptz, uuid, integer, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION submit_response(uuid, uuid, uuid, integer, jsonb, text, jsonb, jsonb, double precision, double precision, text[], uuid, text, text, jsonb, uuid, timestamptz, uuid, integer, timestamptz) TO goldloop_app, goldloop_worker;
