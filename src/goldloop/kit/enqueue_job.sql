-- Queues a job of the transaction's tenant and actor; it exists when the transaction commits.
CREATE FUNCTION enqueue_job(
    p_id uuid, p_name text, p_payload jsonb, p_run_at timestamptz, p_max_attempts integer, p_priority integer,
    p_queue text
) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = procrastinate, pg_temp AS $$
DECLARE
    tenant text := nullif(current_setting('app.tenant', true), '');
BEGIN
    IF tenant IS NULL THEN
        RAISE EXCEPTION 'A job needs a tenant';
    END IF;
    INSERT INTO procrastinate_jobs (queue_name, task_name, priority, args, scheduled_at)
    VALUES (p_queue, p_name, p_priority,
            jsonb_build_object('id', p_id, 'tenant_id', tenant, 'actor', current_setting('app.actor', true),
                               'max_attempts', p_max_attempts, 'payload', p_payload),
            p_run_at);
    PERFORM public.notify_change('jobs');
END;
$$;
REVOKE ALL ON FUNCTION enqueue_job(uuid, text, jsonb, timestamptz, integer, integer, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION enqueue_job(uuid, text, jsonb, timestamptz, integer, integer, text)
    TO goldloop_app, goldloop_worker;
