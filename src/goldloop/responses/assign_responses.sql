-- Assigns responses to a member, or to nobody (p_to null). Those that were not theirs before are changed and returned.
-- Records are locked first, as promotion does: two never wait for each other.
CREATE FUNCTION assign_responses(p_responses uuid[], p_to uuid) RETURNS TABLE (id uuid, entity_id uuid)
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    PERFORM FROM public.entities e WHERE e.tenant_id = tenant AND e.id IN (
        SELECT r.entity_id FROM public.entity_responses r WHERE r.tenant_id = tenant AND r.id = ANY (p_responses))
    ORDER BY e.id FOR NO KEY UPDATE;
    RETURN QUERY
    UPDATE public.entity_responses r SET assigned_to = p_to
    WHERE r.tenant_id = tenant AND r.id = ANY (p_responses) AND r.assigned_to IS DISTINCT FROM p_to
    RETURNING r.id, r.entity_id;
END;
$$;
REVOKE ALL ON FUNCTION assign_responses(uuid[], uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION assign_responses(uuid[], uuid) TO goldloop_app, goldloop_worker;
