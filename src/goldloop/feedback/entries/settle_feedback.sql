-- Ends feedback about a response or a session that waits, because what caused it was taken back or done about. Returns what
-- ended. The table is open meanwhile: whoever takes a cause back need not be who may read what was made of it.
CREATE FUNCTION settle_feedback(p_response uuid, p_session uuid, p_sources text[], p_status text, p_notes text)
RETURNS TABLE (id uuid, source_type text, group_id uuid)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    actor text := current_setting('app.actor', true);
    actor_id uuid := nullif(split_part(actor, ':', 2), '')::uuid;
    before text := coalesce(current_setting('app.feedback', true), '');
    moment timestamptz := public.moment();
BEGIN
    EXECUTE 'SET LOCAL app.feedback = ''open''';
    RETURN QUERY UPDATE public.feedback f
    SET status = p_status, reviewed_at = moment, updated_at = moment, review_notes = p_notes,
        reviewed_by_user_id = CASE WHEN actor LIKE 'user:%' THEN actor_id END,
        reviewed_by_agent_id = CASE WHEN actor LIKE 'agent:%' THEN actor_id END
    WHERE f.tenant_id = tenant AND (f.response_id = p_response OR f.session_id = p_session) AND f.source_type = ANY (p_sources) AND f.status = 'pending'
    RETURNING f.id, f.source_type, f.group_id;
    EXECUTE format('SET LOCAL app.feedback = %L', before);
END;
$$;
REVOKE ALL ON FUNCTION settle_feedback(uuid, uuid, text[], text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION settle_feedback(uuid, uuid, text[], text, text) TO goldloop_app, goldloop_worker;
