-- What was rated with one criteria set, of what it rates now, a row per dimension ever answered, with the dimension as the newest of those
-- responses knew it, so that no later change of the set changes what was said before. `units` are what was rated (a
-- record or one of its connections, perhaps at one temporal value), each with every respondent's newest value. Of the units that only one rated
-- there is one per respondent: enough to tell a single rater from several who never rated the same. Of very many responses
-- only the newest are looked at, so many that they hold at most p_values values and p_bytes; `omitted` are the others.
CREATE FUNCTION list_rated_units(p_set uuid, p_responses integer, p_values integer, p_bytes integer)
RETURNS TABLE (dimension text, units text, omitted bigint)
LANGUAGE plpgsql STABLE AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    RETURN QUERY
    WITH newest AS (
        SELECT DISTINCT ON (r.entity_id, r.temporal_value, respondent)
               r.id, r.created_at, r.entity_id, r.temporal_value, coalesce('agent:' || r.submitted_by_agent, 'user:' || r.submitted_by_user) AS respondent, r.values, r.scope
        FROM public.entity_responses r
        WHERE r.tenant_id = tenant AND r.criteria_set_id = p_set
          AND r.withdrawn_at IS NULL AND r.status <> 'rejected'
          AND (r.scope ->> 'fieldKey') IS NOT DISTINCT FROM (
              SELECT c.scope ->> 'fieldKey' FROM public.criteria_sets c
              WHERE c.tenant_id = tenant AND c.id = p_set)
          AND coalesce(r.submitted_by_agent, r.submitted_by_user) IS NOT NULL
        ORDER BY r.entity_id, r.temporal_value, respondent, r.created_at DESC, r.id DESC
    ), placed AS (
        SELECT n.id, n.created_at, n.entity_id, n.temporal_value, n.respondent, n.values, n.scope,
               count(*) OVER () AS found, row_number() OVER (ORDER BY n.created_at DESC, n.id DESC) AS place
        FROM newest n
    ), sized AS (
        SELECT p.id, p.created_at, p.entity_id, p.temporal_value, p.respondent, p.values, p.scope, p.found, p.place,
               sum(octet_length(p.values::text)) OVER w AS bytes,
               sum(CASE WHEN p.scope IS NULL THEN (SELECT count(*) FROM jsonb_object_keys(p.values))
                        ELSE (SELECT count(*) FROM jsonb_each(p.values) o, jsonb_object_keys(o.value)) END) OVER w AS upto
        FROM placed p WHERE p.place <= p_responses WINDOW w AS (ORDER BY p.place)
    ), looked_at AS MATERIALIZED (
        SELECT s.id, s.created_at, s.entity_id, s.temporal_value, s.respondent, s.values, s.scope, s.found
        FROM sized s WHERE s.place = 1 OR (s.bytes <= p_bytes AND s.upto <= p_values)
    ), rated AS MATERIALIZED (
        SELECT v.key, jsonb_object_agg(n.respondent, v.value) AS ratings, count(*) AS raters,
               min(n.respondent) AS rater, max(n.created_at) AS at
        FROM looked_at n CROSS JOIN LATERAL (
            SELECT NULL AS connection, e.key, e.value FROM jsonb_each(n.values) e WHERE n.scope IS NULL
            UNION ALL
            SELECT o.key, e.key, e.value FROM jsonb_each(n.values) o, jsonb_each(o.value) e WHERE n.scope IS NOT NULL
        ) v
        GROUP BY v.key, n.entity_id, n.temporal_value, v.connection
    ), shown AS (
        SELECT u.key, u.ratings FROM rated u WHERE u.raters > 1
        UNION ALL
        (SELECT DISTINCT ON (u.key, u.rater) u.key, u.ratings FROM rated u WHERE u.raters = 1 ORDER BY u.key, u.rater)
    ), gathered AS (
        SELECT s.key, jsonb_agg(s.ratings) AS units FROM shown s GROUP BY s.key
    ), last AS (
        SELECT u.key, max(u.at) AS at FROM rated u GROUP BY u.key
    )
    SELECT DISTINCT ON (g.key) (x.d - 'options')::text, g.units::text, n.found - (SELECT count(*) FROM looked_at)
    FROM gathered g JOIN last l ON l.key = g.key JOIN looked_at n ON n.created_at = l.at
    JOIN public.entity_responses r ON r.tenant_id = tenant AND r.id = n.id
    CROSS JOIN LATERAL jsonb_array_elements(r.criteria_snapshot) x (d)
    WHERE x.d ->> 'key' = g.key
    ORDER BY g.key, n.id DESC;
END;
$$;
REVOKE ALL ON FUNCTION list_rated_units(uuid, integer, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION list_rated_units(uuid, integer, integer, integer) TO goldloop_app, goldloop_worker;
