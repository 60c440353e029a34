-- Jobs of the transaction's tenant, newest first, before p_before; one of them when p_id is given, those in
-- some statuses when p_statuses is, those with some names or with none of them when p_names or p_but is. The statement is put together so that each case uses its own index.
CREATE FUNCTION list_jobs(p_id uuid, p_statuses text[], p_before uuid, p_limit integer,
                          p_names text[] DEFAULT NULL, p_but text[] DEFAULT NULL)
RETURNS TABLE (
    id uuid, name text, status text, args jsonb, attempts integer, max_attempts integer, actor text,
    queued_at timestamptz, scheduled_at timestamptz, started_at timestamptz, finished_at timestamptz,
    error_type text, error_message text, error_at timestamptz, abort_requested boolean
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = procrastinate, pg_temp AS $$
BEGIN
    RETURN QUERY EXECUTE
    $query$
    SELECT (j.args ->> 'id')::uuid, j.task_name::text,
           CASE j.status::text WHEN 'aborted' THEN 'cancelled' WHEN 'aborting' THEN 'doing' ELSE j.status::text END,
           j.args -> 'payload', j.attempts, (j.args ->> 'max_attempts')::integer, j.args ->> 'actor',
           e.queued_at, CASE WHEN j.status = 'todo' THEN j.scheduled_at END, e.started_at, e.finished_at,
           f.type, f.message, f.at, j.abort_requested
    FROM procrastinate_jobs j
    CROSS JOIN LATERAL (
        SELECT min(at) FILTER (WHERE type = 'deferred') AS queued_at,
               max(at) FILTER (WHERE type = 'started') AS started_at,
               max(at) FILTER (WHERE type IN ('succeeded', 'failed', 'aborted', 'cancelled')
                               AND j.status NOT IN ('todo', 'doing')) AS finished_at
        FROM procrastinate_events WHERE job_id = j.id
    ) e
    LEFT JOIN LATERAL (
        SELECT type, message, at FROM job_failures
        WHERE job_id = j.id AND j.status <> 'succeeded' ORDER BY attempt DESC LIMIT 1
    ) f ON true
    WHERE j.args ? 'id' AND j.args ->> 'tenant_id' = $1 AND j.args ->> 'id' < $2
    $query$
    || CASE WHEN p_id IS NOT NULL THEN ' AND j.args ->> ''id'' = $3' ELSE '' END
    || CASE WHEN p_statuses IS NOT NULL THEN ' AND j.status = ANY ($4::procrastinate_job_status[])' ELSE '' END
    || CASE WHEN p_names IS NOT NULL THEN ' AND j.task_name = ANY ($6)' ELSE '' END
    || CASE WHEN p_but IS NOT NULL THEN ' AND j.task_name <> ALL ($7)' ELSE '' END
    || ' ORDER BY j.args ->> ''id'' DESC LIMIT $5'
    USING nullif(current_setting('app.tenant', true), ''), p_before::text, p_id::text, p_statuses, p_limit, p_names, p_but;
END;
$$;
REVOKE ALL ON FUNCTION list_jobs(uuid, text[], uuid, integer, text[], text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION list_jobs(uuid, text[], uuid, integer, text[], text[]) TO goldloop_app, goldloop_worker;
