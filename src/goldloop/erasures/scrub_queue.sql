-- Work that is left to do about what an erasure is about, and work that was done: jobs with their arguments and failures,
-- marks with their errors, remembered answers. The job of the erasure itself stays.
CREATE FUNCTION scrub_queue(p_erasure uuid, p_job uuid) RETURNS jsonb
LANGUAGE plpgsql SET search_path = procrastinate, pg_temp AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    ids text[];
    places text[];
    users text[];
    whole text[];  -- conversations that go as such
    turns text[];
    named constant text := '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
    jobs bigint; failures bigint; marks bigint; answers bigint;
BEGIN
    SELECT coalesce(array_agg(i.place[1]) FILTER (WHERE i.kind IN ('session', 'feedback', 'response', 'record', 'trace', 'reaction')), '{}'),
           coalesce(array_agg(i.place[1] || '/' || i.place[2]) FILTER (WHERE i.kind IN ('conversation', 'turn')), '{}'),
           coalesce(array_agg(i.place[1]) FILTER (WHERE i.kind = 'end_user'), '{}'),
           coalesce(array_agg(array_to_string(i.place, '/')) FILTER (WHERE i.kind = 'conversation'), '{}'),
           coalesce(array_agg(array_to_string(i.place, '/')) FILTER (WHERE i.kind = 'turn'), '{}')
    INTO ids, places, users, whole, turns
    FROM public.erasure_items i WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure;
    DELETE FROM procrastinate.procrastinate_jobs j
    WHERE j.args ? 'id' AND j.args ->> 'tenant_id' = tenant::text AND j.args ->> 'id' <> p_job::text AND j.status <> 'doing' AND (
        ARRAY(SELECT m[1] FROM regexp_matches((j.args -> 'payload')::text, named, 'g') AS m) && ids
        OR j.args #>> '{payload,user_id}' = ANY (users) OR j.args #>> '{payload,event,user_id}' = ANY (users)
        OR (j.args #>> '{payload,event,project}') || '/' || (j.args #>> '{payload,event,conversation_id}') = ANY (places)
        OR (j.args #>> '{payload,project}') || '/' || (j.args #>> '{payload,conversation_id}') = ANY (places));
    GET DIAGNOSTICS jobs = ROW_COUNT;
    DELETE FROM procrastinate.job_failures f USING procrastinate.procrastinate_jobs j
    WHERE j.id = f.job_id AND j.args ? 'id' AND j.args ->> 'tenant_id' = tenant::text
      AND ARRAY(SELECT m[1] FROM regexp_matches(f.message || f.detail, named, 'g') AS m) && ids;
    GET DIAGNOSTICS failures = ROW_COUNT;
    -- Also those that somebody has leased, who may be dead: whoever is not finds nothing left to rebuild.
    DELETE FROM public.marks k WHERE k.tenant_id = tenant AND (k.key = ANY (ids) OR EXISTS (
        SELECT FROM unnest(whole) AS p (place) WHERE k.key = p.place OR starts_with(k.key, p.place || '/')) OR k.key = ANY (turns));
    GET DIAGNOSTICS marks = ROW_COUNT;
    DELETE FROM public.idempotency_keys i WHERE i.tenant_id = tenant
      AND ARRAY(SELECT m[1] FROM regexp_matches(i.response::text, named, 'g') AS m) && ids;
    GET DIAGNOSTICS answers = ROW_COUNT;
    RETURN jsonb_build_object('jobs', jobs, 'job_failures', failures, 'marks', marks, 'idempotency_keys', answers);
END;
$$;
REVOKE ALL ON FUNCTION scrub_queue(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION scrub_queue(uuid, uuid) TO goldloop_eraser;
