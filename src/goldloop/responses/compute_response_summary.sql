-- What a record shows of its ratings with one criteria set: the newest score, and beside it how many rated, each by their
-- newest scored response, with the middle of these scores and how far they are apart. Null where nobody rated. Of very
-- many raters p_raters are counted, and `more` says so.
CREATE FUNCTION compute_response_summary(p_entity uuid, p_set uuid, p_at timestamptz, p_raters integer DEFAULT 1000) RETURNS jsonb
LANGUAGE plpgsql STABLE SET jit = off SET enable_sort = off AS $$
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
    SELECT jsonb_build_object('count', count(*) FILTER (WHERE l.place <= p_raters), 'more', count(*) > p_raters,
        'median', round((percentile_cont(0.5) WITHIN GROUP (ORDER BY l.score) FILTER (WHERE l.place <= p_raters))::numeric, 2)::double precision,
        'min', min(l.score) FILTER (WHERE l.place <= p_raters), 'max', max(l.score) FILTER (WHERE l.place <= p_raters),
        'spread', round((stddev_samp(l.score) FILTER (WHERE l.place <= p_raters))::numeric, 2)::double precision)
    INTO raters
    FROM (SELECT public.score_of_100(o.normalized_score) AS score, o.place
          FROM public.list_raters(p_entity, p_set, '00000000-0000-0000-0000-000000000000', false, true, p_raters + 1)
              WITH ORDINALITY o (rater, no_agent, response_id, normalized_score, place)) l;
    RETURN jsonb_build_object('latest_score', public.score_of_100(newest.normalized_score), 'latest_response_id', newest.id,
        'latest_criteria_set_id', p_set, 'latest_source', newest.source, 'score_scale_max', 100, 'updated_at', p_at,
        'raters', raters);
END;
$$;
REVOKE ALL ON FUNCTION compute_response_summary(uuid, uuid, timestamptz, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION compute_response_summary(uuid, uuid, timestamptz, integer) TO goldloop_app, goldloop_worker;
