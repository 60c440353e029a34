-- Every failed run of one job of the transaction's tenant, newest first.
CREATE FUNCTION list_job_failures(p_id uuid)
RETURNS TABLE (attempt integer, at timestamptz, type text, message text, detail text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    SELECT f.attempt, f.at, f.type, f.message, f.detail
    FROM procrastinate.procrastinate_jobs j
    JOIN procrastinate.job_failures f ON f.job_id = j.id
    WHERE j.args ->> 'id' = p_id::text AND j.args ? 'id'
      AND j.args ->> 'tenant_id' = nullif(current_setting('app.tenant', true), '')
    ORDER BY f.attempt DESC LIMIT 100
$$;
REVOKE ALL ON FUNCTION list_job_failures(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION list_job_failures(uuid) TO goldloop_app, goldloop_worker;
