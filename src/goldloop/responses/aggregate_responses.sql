-- All responses to one record with one criteria set, in numbers: over everything, per dimension, and over time in
-- at most p_points equal stretches. One row.
CREATE FUNCTION aggregate_responses(p_entity uuid, p_set uuid, p_points integer)
RETURNS TABLE (totals jsonb, dimensions jsonb, progression jsonb)
LANGUAGE sql STABLE AS $$
    WITH counted AS MATERIALIZED (
        SELECT r.id, r.values, r.created_at, r.normalized_score * 100 AS score,
               coalesce(r.submitted_by_agent, r.submitted_by_user) AS respondent
        FROM public.entity_responses r
        WHERE r.tenant_id = nullif(current_setting('app.tenant', true), '')::uuid AND r.entity_id = p_entity
          AND r.criteria_set_id = p_set AND r.withdrawn_at IS NULL AND r.status <> 'rejected'
    ), answers AS MATERIALIZED (
        SELECT c.id, c.respondent, v.key, v.value, jsonb_typeof(v.value) = 'number' AS is_number
        FROM counted c, jsonb_each(c.values) v
    ), spoken AS (  -- the newest response with an answer to each dimension
        SELECT a.key, max(a.id::text)::uuid AS id FROM answers a GROUP BY a.key
    ), newest AS (
        SELECT max(c.id::text)::uuid AS id FROM counted c
    ), known AS (  -- every dimension of the newest response and every one ever answered, as it was last called
        SELECT DISTINCT ON (d ->> 'key') d ->> 'key' AS key, d ->> 'label' AS label, d ->> 'type' AS type,
               d -> 'options' AS options, d ->> 'type' IN ('number', 'rating') AS is_number, place
        FROM public.entity_responses r, jsonb_array_elements(r.criteria_snapshot) WITH ORDINALITY x (d, place)
        WHERE r.tenant_id = nullif(current_setting('app.tenant', true), '')::uuid
          AND r.id IN (SELECT s.id FROM spoken s UNION SELECT n.id FROM newest n)
          AND (r.id = (SELECT n.id FROM newest n) OR d ->> 'key' IN (SELECT s.key FROM spoken s))
        ORDER BY d ->> 'key', r.id DESC
    ), fitting AS (  -- the dimension may have had another type in its day
        SELECT a.key, a.respondent, a.value, a.is_number FROM answers a JOIN known k ON k.key = a.key AND k.is_number = a.is_number
    ), numbers AS (
        SELECT key, count(*) AS count, count(DISTINCT respondent) AS respondents, avg(n) AS mean,
               percentile_cont(0.5) WITHIN GROUP (ORDER BY n) AS median, min(n) AS min, max(n) AS max, stddev_samp(n) AS stddev
        FROM (SELECT key, respondent, value::double precision AS n FROM fitting WHERE is_number) a GROUP BY key
    ), between_respondents AS (
        SELECT key, stddev_samp(own) AS spread
        FROM (SELECT key, respondent, avg(value::double precision) AS own FROM fitting WHERE is_number GROUP BY key, respondent) o
        GROUP BY key
    ), texts AS (
        SELECT a.key, count(*) AS count, count(DISTINCT a.respondent) AS respondents FROM fitting a
        WHERE NOT a.is_number GROUP BY a.key
    ), choices AS (
        SELECT key, jsonb_object_agg(choice, n) AS frequencies
        FROM (SELECT a.key, a.value #>> '{}' AS choice, count(*) AS n
              FROM fitting a JOIN known k ON k.key = a.key AND k.type = 'select' GROUP BY a.key, choice) f
        GROUP BY key
    ), scored AS (
        SELECT c.created_at, c.score, row_number() OVER (ORDER BY c.created_at, c.id) AS place, count(*) OVER () AS total,
               extract(epoch FROM c.created_at - min(c.created_at) OVER ())
                   / nullif(extract(epoch FROM max(c.created_at) OVER () - min(c.created_at) OVER ()), 0) AS share
        FROM counted c WHERE c.score IS NOT NULL
    ), buckets AS (  -- few points are shown as they are
        SELECT max(created_at) AS at, avg(score) AS score, min(score) AS min, max(score) AS max, count(*) AS count
        FROM scored
        GROUP BY CASE WHEN total <= p_points THEN place ELSE least(floor(coalesce(share, 0) * p_points), p_points - 1) END
    )
    SELECT
        (SELECT jsonb_build_object('count', count(*), 'respondents', count(DISTINCT respondent), 'mean', avg(score),
            'median', percentile_cont(0.5) WITHIN GROUP (ORDER BY score), 'min', min(score), 'max', max(score)) FROM counted),
        (SELECT jsonb_agg(jsonb_build_object('key', k.key, 'label', k.label, 'type', k.type,
            'options', k.options, 'count', coalesce(n.count, t.count, 0), 'respondents', coalesce(n.respondents, t.respondents, 0),
            'mean', n.mean, 'median', n.median, 'min', n.min, 'max', n.max, 'stddev', n.stddev, 'spread', b.spread,
            'frequencies', CASE WHEN k.type = 'select' THEN coalesce(c.frequencies, '{}'::jsonb) END) ORDER BY k.place, k.key)
         FROM known k LEFT JOIN numbers n ON n.key = k.key LEFT JOIN texts t ON t.key = k.key
         LEFT JOIN between_respondents b ON b.key = k.key LEFT JOIN choices c ON c.key = k.key),
        (SELECT jsonb_agg(jsonb_build_object('at', at, 'score', score, 'min', min, 'max', max, 'count', count) ORDER BY at)
         FROM buckets)
$$;
REVOKE ALL ON FUNCTION aggregate_responses(uuid, uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION aggregate_responses(uuid, uuid, integer) TO goldloop_app, goldloop_worker;
