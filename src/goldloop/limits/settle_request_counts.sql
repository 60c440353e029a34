-- What a process has counted in a minute, by workspace or key, in place of what it told before; returns what all others have
-- counted in that minute, in the same order. Calling it again changes nothing.
CREATE FUNCTION settle_request_counts(p_process uuid, p_minute timestamptz, p_subjects uuid[], p_requests integer[]) RETURNS bigint[]
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    INSERT INTO public.request_counts AS c (tenant_id, subject_id, process_id, minute, requests)
    SELECT tenant, u.subject_id, p_process, p_minute, u.requests FROM unnest(p_subjects, p_requests) AS u (subject_id, requests)
    ON CONFLICT (tenant_id, subject_id, process_id) DO UPDATE SET minute = excluded.minute, requests = excluded.requests;
    RETURN ARRAY(
        SELECT coalesce((SELECT sum(c.requests) FROM public.request_counts c
                         WHERE c.tenant_id = tenant AND c.subject_id = u.subject_id AND c.process_id <> p_process
                           AND c.minute = p_minute), 0)
        FROM unnest(p_subjects) WITH ORDINALITY AS u (subject_id, place) ORDER BY u.place);
END;
$$;
REVOKE ALL ON FUNCTION settle_request_counts(uuid, timestamptz, uuid[], integer[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION settle_request_counts(uuid, timestamptz, uuid[], integer[]) TO goldloop_app, goldloop_worker;
