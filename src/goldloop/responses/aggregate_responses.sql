-- All responses to one record with one criteria set, about what it rates now, in numbers: over everything, per dimension, and over time in
-- at most p_points equal stretches. Of dimensions of the types p_numeric numbers are counted, of p_chosen how often
-- each option was. One row. Equal answers of one respondent are counted together as they are read, and all else is computed
-- from those counts: of ratings there are few.
CREATE FUNCTION aggregate_responses(p_entity uuid, p_set uuid, p_points integer, p_numeric text[], p_chosen text[])
RETURNS TABLE (totals jsonb, dimensions jsonb, progression jsonb)
LANGUAGE plpgsql STABLE SET jit = off SET work_mem = '64MB' AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    RETURN QUERY
    WITH counted AS MATERIALIZED (
        SELECT r.id, r.values, r.scope, r.created_at, public.score_of_100(r.normalized_score) AS score,
               coalesce('agent:' || r.submitted_by_agent, 'user:' || r.submitted_by_user) AS respondent
        FROM public.entity_responses r
        WHERE r.tenant_id = tenant AND r.entity_id = p_entity
          AND r.criteria_set_id = p_set AND r.withdrawn_at IS NULL AND r.status <> 'rejected'
          AND (r.scope ->> 'fieldKey') IS NOT DISTINCT FROM (
              SELECT c.scope ->> 'fieldKey' FROM public.criteria_sets c
              WHERE c.tenant_id = tenant AND c.id = p_set)
    ), answers AS MATERIALIZED (  -- a text too long to be an option is only counted
        SELECT v.key, c.respondent, CASE jsonb_typeof(v.value) WHEN 'number' THEN v.value::double precision END AS n,
               CASE WHEN jsonb_typeof(v.value) <> 'number' AND pg_column_size(v.value) <= 1000 THEN v.value END AS choice,
               count(*) AS times, max(c.created_at) AS at
        FROM counted c CROSS JOIN LATERAL (  -- what was said about connections is said of them all together
            SELECT e.key, e.value FROM jsonb_each(c.values) e WHERE c.scope IS NULL
            UNION ALL
            SELECT e.key, e.value FROM jsonb_each(c.values) o, jsonb_each(o.value) e WHERE c.scope IS NOT NULL
        ) v
        GROUP BY 1, 2, 3, 4
    ), spoken AS (  -- the newest response with an answer to each dimension, and the newest of all
        SELECT c.id, s.key FROM (SELECT a.key, max(a.at) AS at FROM answers a GROUP BY a.key) s JOIN counted c ON c.created_at = s.at
        UNION ALL
        (SELECT c.id, NULL FROM counted c ORDER BY c.created_at DESC, c.id DESC LIMIT 1)
    ), known AS (  -- every dimension of the newest response and every one ever answered, as it was last called
        SELECT DISTINCT ON (d ->> 'key') d ->> 'key' AS key, d ->> 'label' AS label, d ->> 'type' AS type,
               d -> 'options' AS options, d ->> 'type' = ANY (p_numeric) AS is_number, ordinal
        FROM (SELECT DISTINCT s.id FROM spoken s) s
        JOIN public.entity_responses r ON r.tenant_id = tenant AND r.id = s.id,
             jsonb_array_elements(r.criteria_snapshot) WITH ORDINALITY x (d, ordinal)
        WHERE d ->> 'key' IN (SELECT o.key FROM spoken o) OR r.id = (SELECT o.id FROM spoken o WHERE o.key IS NULL)
        ORDER BY d ->> 'key', r.created_at DESC, r.id DESC
    ), fitting AS MATERIALIZED (  -- the dimension may have had another type in its day
        SELECT a.key, k.is_number, a.respondent, a.n, a.choice, a.times, k.type
        FROM answers a JOIN known k ON k.key = a.key AND k.is_number = (a.n IS NOT NULL)
    ), ranked AS (
        SELECT f.key, f.n, f.times, sum(f.times) OVER (PARTITION BY f.key ORDER BY f.n) AS upto,
               sum(f.times) OVER (PARTITION BY f.key) AS total
        FROM (SELECT g.key, g.n, sum(g.times) AS times FROM fitting g WHERE g.is_number GROUP BY g.key, g.n) f
    ), numbers AS (
        SELECT key, total, min(n) AS min, max(n) AS max, sum(n * times) / total AS mean,
               (min(n) FILTER (WHERE upto > div(total - 1, 2)) + min(n) FILTER (WHERE upto > div(total, 2))) / 2 AS median
        FROM ranked GROUP BY key, total
    ), deviations AS (
        SELECT r.key, sqrt(sum(r.times * (r.n - m.mean) ^ 2) / nullif(m.total - 1, 0)) AS stddev
        FROM ranked r JOIN numbers m ON m.key = r.key GROUP BY r.key, m.total
    ), respondents AS (
        SELECT key, count(respondent) AS respondents, sum(times) AS count, stddev_samp(own) AS spread
        FROM (SELECT key, respondent, sum(times) AS times, sum(n * times) / sum(times) AS own FROM fitting GROUP BY key, respondent) o
        GROUP BY key
    ), choices AS (
        SELECT key, jsonb_object_agg(choice, times) AS frequencies
        FROM (SELECT f.key, f.choice #>> '{}' AS choice, sum(f.times) AS times FROM fitting f
              WHERE f.type = ANY (p_chosen) AND f.choice IS NOT NULL GROUP BY f.key, f.choice) c
        GROUP BY key
    ), whole AS (
        SELECT sum(times)::bigint AS count, count(respondent) AS respondents, sum(scored)::bigint AS scored,
               min(first) AS first, max(last) AS last
        FROM (SELECT respondent, count(*) AS times, count(score) AS scored, min(created_at) FILTER (WHERE score IS NOT NULL) AS first,
                     max(created_at) FILTER (WHERE score IS NOT NULL) AS last
              FROM counted GROUP BY respondent) r
    ), buckets AS (  -- few points are shown as they are
        SELECT c.created_at AS at, c.score, c.score AS min, c.score AS max, 1 AS count
        FROM counted c, whole w WHERE w.scored <= p_points AND c.score IS NOT NULL
        UNION ALL
        SELECT max(c.created_at), round(avg(c.score)::numeric, 2)::double precision, min(c.score), max(c.score), count(*)
        FROM counted c, whole w WHERE w.scored > p_points AND c.score IS NOT NULL
        GROUP BY least(floor(coalesce(extract(epoch FROM c.created_at - w.first)::double precision
            / nullif(extract(epoch FROM w.last - w.first)::double precision, 0), 0) * p_points), p_points - 1)
    )
    SELECT
        (SELECT jsonb_build_object('count', coalesce(w.count, 0), 'respondents', w.respondents) || s.scores FROM whole w,
            (SELECT jsonb_build_object('mean', round(avg(score)::numeric, 2)::double precision,
                'median', round((percentile_cont(0.5) WITHIN GROUP (ORDER BY score))::numeric, 2)::double precision,
                'min', min(score), 'max', max(score)) FROM counted) s (scores)),
        (SELECT jsonb_agg(jsonb_build_object('key', k.key, 'label', k.label, 'type', k.type, 'options', k.options,
            'count', coalesce(p.count, 0), 'respondents', coalesce(p.respondents, 0), 'mean', n.mean, 'median', n.median,
            'min', n.min, 'max', n.max, 'stddev', s.stddev, 'spread', p.spread,
            'frequencies', CASE WHEN k.type = ANY (p_chosen) THEN coalesce(c.frequencies, '{}'::jsonb) END) ORDER BY k.ordinal, k.key)
         FROM known k LEFT JOIN numbers n ON n.key = k.key LEFT JOIN deviations s ON s.key = k.key
         LEFT JOIN respondents p ON p.key = k.key LEFT JOIN choices c ON c.key = k.key),
        (SELECT jsonb_agg(jsonb_build_object('at', at, 'score', score, 'min', min, 'max', max, 'count', count) ORDER BY at)
         FROM buckets);
END;
$$;
REVOKE ALL ON FUNCTION aggregate_responses(uuid, uuid, integer, text[], text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION aggregate_responses(uuid, uuid, integer, text[], text[]) TO goldloop_app, goldloop_worker;
