-- Who rated a record with one criteria set, in the order of raters after (p_after, p_after_no_agent): at most p_limit, each
-- with their newest response that counts, or their newest that also has a score. Each is one look into the index of raters,
-- however much they ever said; a plan that gathers it all to sort it is never right here.
CREATE FUNCTION list_raters(p_entity uuid, p_set uuid, p_after uuid, p_after_no_agent boolean, p_scored boolean, p_limit integer)
RETURNS TABLE (rater uuid, no_agent boolean, response_id uuid, normalized_score double precision)
LANGUAGE plpgsql STABLE ROWS 50 SET jit = off SET enable_sort = off AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    rater := p_after;
    no_agent := p_after_no_agent;
    FOR place IN 1 .. p_limit LOOP
        SELECT CASE WHEN r.submitted_by_agent IS NOT NULL THEN r.submitted_by_agent
                    WHEN r.submitted_by_user IS NOT NULL THEN r.submitted_by_user
                    ELSE '00000000-0000-0000-0000-000000000000' END,
               r.submitted_by_agent IS NULL, r.id, r.normalized_score
        INTO rater, no_agent, response_id, normalized_score
        FROM public.entity_responses r
        WHERE r.tenant_id = tenant AND r.entity_id = p_entity AND r.criteria_set_id = p_set
          AND r.withdrawn_at IS NULL AND r.status <> 'rejected' AND (NOT p_scored OR r.normalized_score IS NOT NULL)
          AND (CASE WHEN r.submitted_by_agent IS NOT NULL THEN r.submitted_by_agent
                    WHEN r.submitted_by_user IS NOT NULL THEN r.submitted_by_user
                    ELSE '00000000-0000-0000-0000-000000000000' END, r.submitted_by_agent IS NULL) > (rater, no_agent)
        ORDER BY CASE WHEN r.submitted_by_agent IS NOT NULL THEN r.submitted_by_agent
                      WHEN r.submitted_by_user IS NOT NULL THEN r.submitted_by_user
                      ELSE '00000000-0000-0000-0000-000000000000' END,
                 r.submitted_by_agent IS NULL, r.created_at DESC, r.id DESC
        LIMIT 1;
        EXIT WHEN NOT FOUND;
        RETURN NEXT;
    END LOOP;
END;
$$;
REVOKE ALL ON FUNCTION list_raters(uuid, uuid, uuid, boolean, boolean, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION list_raters(uuid, uuid, uuid, boolean, boolean, integer) TO goldloop_app, goldloop_worker;
