-- Takes jobs back from workers that died (no heartbeat) or hang (too old): queued again, or failed for
-- good when their attempts are used up, so that a job which kills its worker does not do so for ever.
CREATE FUNCTION sweep_jobs(p_heartbeat interval, p_max_age interval)
RETURNS TABLE (id uuid, tenant_id uuid, name text, requeued boolean, outcome text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = procrastinate, pg_temp AS $$
DECLARE
    lost record;
    again boolean;
BEGIN
    FOR lost IN
        SELECT j.id, j.task_name, j.attempts, coalesce((j.args ->> 'max_attempts')::integer, 3) AS max_attempts,
               j.abort_requested, j.args ->> 'id' AS public_id, j.args ->> 'tenant_id' AS tenant
        FROM procrastinate_jobs j
        LEFT JOIN procrastinate_workers w ON w.id = j.worker_id
        WHERE j.status = 'doing'
          AND (w.id IS NULL OR w.last_heartbeat < now() - p_heartbeat
               OR (SELECT max(e.at) FROM procrastinate_events e
                   WHERE e.job_id = j.id AND e.type = 'started') < now() - p_max_age)
        ORDER BY j.id
        FOR UPDATE OF j SKIP LOCKED
    LOOP
        again := lost.attempts + 1 < lost.max_attempts AND NOT lost.abort_requested;
        INSERT INTO job_failures (job_id, attempt, type, message, detail)
        VALUES (lost.id, lost.attempts + 1, 'WorkerLost', 'The worker that ran this job stopped before it was done', '')
        ON CONFLICT DO NOTHING;
        IF again THEN
            PERFORM procrastinate_retry_job_v2(lost.id, NULL, NULL, NULL, NULL);
            PERFORM pg_notify('procrastinate_any_queue_v1',
                              json_build_object('type', 'job_inserted', 'job_id', lost.id)::text);
        ELSE
            PERFORM procrastinate_finish_job_v1(
                lost.id, (CASE WHEN lost.abort_requested THEN 'aborted' ELSE 'failed' END)::procrastinate_job_status, false);
        END IF;
        id := lost.public_id::uuid;
        tenant_id := lost.tenant::uuid;
        name := lost.task_name;
        requeued := again;
        outcome := CASE WHEN again THEN NULL WHEN lost.abort_requested THEN 'cancelled' ELSE 'failed' END;
        RETURN NEXT;
    END LOOP;
END;
$$;
REVOKE ALL ON FUNCTION sweep_jobs(interval, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sweep_jobs(interval, interval) TO goldloop_worker;
