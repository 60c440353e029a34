-- A fact as a row of feedback, with its event: null where the fact has its row already. p_new has the columns; who writes and
-- when is the transaction's. Whoever causes a
-- fact need not be who may read it.
CREATE FUNCTION take_in_feedback(p_new jsonb, p_event uuid) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    actor text := current_setting('app.actor', true);
    moment timestamptz := public.moment();
    new record;
    event jsonb;
BEGIN
    SELECT * INTO new FROM jsonb_to_record(p_new) AS n (
        id uuid, source_key text, source_type text, rating text, comment text, context jsonb, origin_actor text,
        origin_artefact text, created_by uuid, session_id uuid, entity_id uuid, agent_id uuid, entity_type text,
        response_id uuid, project text, conversation_id text, turn_id text, end_user text, created_at timestamptz,
        status text, reviewed_at timestamptz, reviewed_by_user_id uuid, review_notes text);
    INSERT INTO public.feedback (
        tenant_id, id, source_key, source_type, rating, comment, context, origin_actor, origin_artefact, created_by,
        session_id, entity_id, agent_id, entity_type, response_id, project, conversation_id, turn_id, end_user,
        created_at, status, reviewed_at, reviewed_by_user_id, review_notes, updated_at, created_by_kind, created_by_id)
    VALUES (
        tenant, new.id, new.source_key, new.source_type, new.rating, new.comment, coalesce(new.context, '{}'),
        new.origin_actor, new.origin_artefact, new.created_by, new.session_id, new.entity_id, new.agent_id,
        new.entity_type, new.response_id, new.project, new.conversation_id, new.turn_id, new.end_user,
        coalesce(new.created_at, moment), coalesce(new.status, 'pending'), new.reviewed_at, new.reviewed_by_user_id,
        new.review_notes, moment, split_part(actor, ':', 1), nullif(split_part(actor, ':', 2), '')::uuid)
    ON CONFLICT DO NOTHING;
    IF FOUND THEN
        event := public.emit_event(p_event, 'feedback.created', 'feedback', new.id::text,
            jsonb_strip_nulls(jsonb_build_object('source_type', new.source_type, 'rating', new.rating,
                'status', coalesce(new.status, 'pending'), 'session_id', new.session_id, 'entity_id', new.entity_id,
                'agent_id', new.agent_id, 'conversation_id', new.conversation_id)));
        PERFORM public.set_marks('feedback.place', ARRAY['workspace'], interval '2 seconds');
    END IF;
    RETURN event;
END;
$$;
REVOKE ALL ON FUNCTION take_in_feedback(jsonb, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_in_feedback(jsonb, uuid) TO goldloop_app, goldloop_worker;
