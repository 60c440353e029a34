-- Queues a failed job of the transaction's tenant again; false when it is not failed (or not there).
CREATE FUNCTION retry_job(p_id uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = procrastinate, pg_temp AS $$
DECLARE
    found_id bigint;
BEGIN
    SELECT j.id INTO found_id FROM procrastinate_jobs j
    WHERE j.args ->> 'id' = p_id::text AND j.args ? 'id'
      AND j.args ->> 'tenant_id' = nullif(current_setting('app.tenant', true), '') AND j.status = 'failed'
    FOR UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    -- procrastinate counts the retry itself as a run, and would keep a request to stop that is over.
    UPDATE procrastinate_jobs SET attempts = attempts - 1, abort_requested = false WHERE id = found_id;
    PERFORM procrastinate_retry_job_v2(found_id, NULL, NULL, NULL, NULL);
    PERFORM pg_notify('procrastinate_any_queue_v1', json_build_object('type', 'job_inserted', 'job_id', found_id)::text);
    PERFORM public.notify_change('jobs', p_id::text);
    RETURN true;
END;
$$;
REVOKE ALL ON FUNCTION retry_job(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION retry_job(uuid) TO goldloop_app, goldloop_worker;
