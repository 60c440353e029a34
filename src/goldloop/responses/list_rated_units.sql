-- What was rated with one criteria set: per dimension and unit (a record, or a record at one temporal value) each
-- respondent's newest value. Of the units that only one rated there is one per respondent: enough to tell a single
-- rater from several who never rated the same.
CREATE FUNCTION list_rated_units(p_set uuid) RETURNS TABLE (key text, ratings jsonb)
LANGUAGE sql STABLE AS $$
    WITH newest AS (
        SELECT DISTINCT ON (r.entity_id, r.temporal_value, respondent)
               r.entity_id, r.temporal_value, coalesce(r.submitted_by_agent, r.submitted_by_user) AS respondent, r.values
        FROM public.entity_responses r
        WHERE r.tenant_id = nullif(current_setting('app.tenant', true), '')::uuid AND r.criteria_set_id = p_set
          AND r.withdrawn_at IS NULL AND r.status <> 'rejected'
          AND coalesce(r.submitted_by_agent, r.submitted_by_user) IS NOT NULL
        ORDER BY r.entity_id, r.temporal_value, respondent, r.id DESC
    ), units AS (
        SELECT v.key, jsonb_object_agg(n.respondent::text, v.value) AS ratings, count(*) AS raters, min(n.respondent::text) AS rater
        FROM newest n, jsonb_each(n.values) v
        GROUP BY v.key, n.entity_id, n.temporal_value
    )
    SELECT u.key, u.ratings FROM units u WHERE u.raters > 1
    UNION ALL
    (SELECT DISTINCT ON (u.key, u.rater) u.key, u.ratings FROM units u WHERE u.raters = 1 ORDER BY u.key, u.rater)
$$;
REVOKE ALL ON FUNCTION list_rated_units(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION list_rated_units(uuid) TO goldloop_app, goldloop_worker;
