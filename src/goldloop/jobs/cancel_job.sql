-- Cancels a waiting job of the transaction's tenant, asks a running one to stop; false when it is over.
CREATE FUNCTION cancel_job(p_id uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = procrastinate, pg_temp AS $$
DECLARE
    found_id bigint;
BEGIN
    SELECT j.id INTO found_id FROM procrastinate_jobs j
    WHERE j.args ->> 'id' = p_id::text AND j.args ? 'id'
      AND j.args ->> 'tenant_id' = nullif(current_setting('app.tenant', true), '') AND j.status IN ('todo', 'doing')
    FOR UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM procrastinate_cancel_job_v1(found_id, true, false);
    PERFORM public.notify_change('jobs', p_id::text);
    RETURN true;
END;
$$;
REVOKE ALL ON FUNCTION cancel_job(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION cancel_job(uuid) TO goldloop_app, goldloop_worker;
