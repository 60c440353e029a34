-- Forgets jobs that ended long ago: good ones after p_good, the others after p_bad. A batch at a time.
CREATE FUNCTION prune_jobs(p_good interval, p_bad interval, p_limit integer) RETURNS integer
LANGUAGE sql SECURITY DEFINER SET search_path = procrastinate, pg_temp AS $$
    WITH old AS (
        SELECT j.id FROM procrastinate_jobs j
        WHERE j.status NOT IN ('todo', 'doing')
          AND (SELECT max(e.at) FROM procrastinate_events e WHERE e.job_id = j.id)
              < now() - CASE WHEN j.status = 'succeeded' THEN p_good ELSE p_bad END
        ORDER BY j.id LIMIT p_limit
    ), gone AS (
        DELETE FROM procrastinate_jobs j USING old WHERE j.id = old.id RETURNING j.id
    )
    SELECT count(*)::integer FROM gone
$$;
REVOKE ALL ON FUNCTION prune_jobs(interval, interval, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION prune_jobs(interval, interval, integer) TO goldloop_worker;
