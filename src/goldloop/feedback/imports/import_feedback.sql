-- Rows of feedback from elsewhere, each once: how many were new. One event tells of all of them.
CREATE FUNCTION import_feedback(p_rows jsonb, p_kind text, p_event uuid, OUT added integer, OUT event jsonb)
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    actor text := current_setting('app.actor', true);
    moment timestamptz := public.moment();
BEGIN
    WITH written AS (
        INSERT INTO public.feedback (tenant_id, id, source_key, source_type, rating, comment, context, origin_actor, origin_artefact,
            created_by, session_id, entity_id, agent_id, entity_type, response_id, end_user, created_at, status, reviewed_at,
            updated_at, created_by_kind, created_by_id)
        SELECT tenant, n.id, n.source_key, n.source_type, n.rating, n.comment, n.context, n.origin_actor, n.origin_artefact,
            n.created_by, n.session_id, n.entity_id, n.agent_id, n.entity_type, n.response_id, n.end_user,
            coalesce(n.created_at, moment), n.status, CASE WHEN n.status <> 'pending' THEN coalesce(n.created_at, moment) END, moment,
            split_part(actor, ':', 1), nullif(split_part(actor, ':', 2), '')::uuid
        FROM jsonb_to_recordset(p_rows) AS n (id uuid, source_key text, source_type text, rating text, comment text, context jsonb,
            origin_actor text, origin_artefact text, created_by uuid, session_id uuid, entity_id uuid, agent_id uuid, entity_type text,
            response_id uuid, end_user text, created_at timestamptz, status text)
        ON CONFLICT DO NOTHING RETURNING 1
    )
    SELECT count(*) INTO added FROM written;
    IF added > 0 THEN
        event := public.emit_event(p_event, 'feedback.imported', 'feedback', tenant::text,
            jsonb_build_object('kind', p_kind, 'count', added));
        PERFORM public.set_marks('feedback.place', ARRAY['workspace'], interval '2 seconds');
    END IF;
END;
$$;
REVOKE ALL ON FUNCTION import_feedback(jsonb, text, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION import_feedback(jsonb, text, uuid) TO goldloop_app, goldloop_worker;
