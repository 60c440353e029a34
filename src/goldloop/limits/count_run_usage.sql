-- What a run has used, to what the runs of its workspace have used on that day. A run counts in one row of several, so that
-- runs seldom wait for each other, and a transaction that counts for one run locks one row.
CREATE FUNCTION count_run_usage(p_run uuid, p_tokens bigint, p_cost double precision, p_at timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    shards CONSTANT integer := 16;
BEGIN
    INSERT INTO public.run_usage AS u (tenant_id, day, shard, tokens, cost)
    VALUES (tenant, (p_at AT TIME ZONE 'UTC')::date, abs(hashtext(p_run::text) % shards), p_tokens, p_cost)
    ON CONFLICT (tenant_id, day, shard) DO UPDATE SET tokens = u.tokens + excluded.tokens, cost = u.cost + excluded.cost;
END;
$$;
REVOKE ALL ON FUNCTION count_run_usage(uuid, bigint, double precision, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_run_usage(uuid, bigint, double precision, timestamptz) TO goldloop_app, goldloop_worker;
