-- How many jobs of the transaction's tenant are in some statuses, counted up to p_most.
CREATE FUNCTION count_jobs(p_statuses text[], p_most integer) RETURNS integer
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = procrastinate, pg_temp AS $$
DECLARE
    tenant text := nullif(current_setting('app.tenant', true), '');
BEGIN
    RETURN (SELECT count(*) FROM (
        SELECT FROM procrastinate_jobs j
        WHERE j.args ? 'id' AND j.args ->> 'tenant_id' = tenant AND j.status = ANY (p_statuses::procrastinate_job_status[])
        LIMIT p_most) s);
END;
$$;
REVOKE ALL ON FUNCTION count_jobs(text[], integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_jobs(text[], integer) TO goldloop_app, goldloop_worker;
