-- What a record shows of its ratings with one criteria set: the newest score, and beside it how many rated, each by their
-- newest scored response, with the middle of these scores and how far they are apart. Null where nobody rated. Raters are
-- found one by one in the index, so the cost is theirs and not that of all they ever said; of very many there are
-- p_raters, and `more`.
CREATE FUNCTION compute_response_summary(p_entity uuid, p_set uuid, p_at timestamptz, p_raters integer DEFAULT 1000) RETURNS jsonb
LANGUAGE plpgsql STABLE SET jit = off AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    newest record;
    raters jsonb;
BEGIN
    SELECT r.id, r.normalized_score, r.source INTO newest FROM public.entity_responses r
    WHERE r.tenant_id = tenant AND r.entity_id = p_entity AND r.withdrawn_at IS NULL AND r.status <> 'rejected'
      AND r.criteria_set_id = p_set AND r.normalized_score IS NOT NULL
    ORDER BY r.created_at DESC, r.id DESC LIMIT 1;
    IF newest.id IS NULL THEN
        RETURN NULL;
    END IF;
    WITH RECURSIVE rated AS (
        (SELECT coalesce('agent:' || r.submitted_by_agent::text, 'user:' || r.submitted_by_user::text, 'system') AS rater,
                public.score_of_100(r.normalized_score) AS score
         FROM public.entity_responses r
         WHERE r.tenant_id = tenant AND r.entity_id = p_entity AND r.criteria_set_id = p_set AND r.withdrawn_at IS NULL
           AND r.status <> 'rejected' AND r.normalized_score IS NOT NULL
         ORDER BY coalesce('agent:' || r.submitted_by_agent::text, 'user:' || r.submitted_by_user::text, 'system'),
                  r.created_at DESC, r.id DESC LIMIT 1)
        UNION ALL
        SELECT n.rater, n.score FROM rated b CROSS JOIN LATERAL (
            SELECT coalesce('agent:' || r.submitted_by_agent::text, 'user:' || r.submitted_by_user::text, 'system') AS rater,
                   public.score_of_100(r.normalized_score) AS score
            FROM public.entity_responses r
            WHERE r.tenant_id = tenant AND r.entity_id = p_entity AND r.criteria_set_id = p_set AND r.withdrawn_at IS NULL
              AND r.status <> 'rejected' AND r.normalized_score IS NOT NULL
              AND coalesce('agent:' || r.submitted_by_agent::text, 'user:' || r.submitted_by_user::text, 'system') > b.rater
            ORDER BY coalesce('agent:' || r.submitted_by_agent::text, 'user:' || r.submitted_by_user::text, 'system'),
                     r.created_at DESC, r.id DESC LIMIT 1) n
    ), listed AS (
        SELECT s.score, row_number() OVER () AS place FROM (SELECT o.score FROM rated o LIMIT p_raters + 1) s
    )
    SELECT jsonb_build_object('count', count(*), 'more', (SELECT count(*) FROM listed) > p_raters,
        'median', round((percentile_cont(0.5) WITHIN GROUP (ORDER BY s.score))::numeric, 2)::double precision,
        'min', min(s.score), 'max', max(s.score), 'spread', round(stddev_samp(s.score)::numeric, 2)::double precision)
    INTO raters FROM listed s WHERE s.place <= p_raters;
    RETURN jsonb_build_object('latest_score', public.score_of_100(newest.normalized_score), 'latest_response_id', newest.id,
        'latest_criteria_set_id', p_set, 'latest_source', newest.source, 'score_scale_max', 100, 'updated_at', p_at,
        'raters', raters);
END;
$$;
REVOKE ALL ON FUNCTION compute_response_summary(uuid, uuid, timestamptz, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION compute_response_summary(uuid, uuid, timestamptz, integer) TO goldloop_app, goldloop_worker;
