-- How many seconds ago the newest event of each tenant was emitted; a tenant without any is left out. Sets the tenant, once for
-- each: nothing is read across them.
CREATE FUNCTION newest_event_ages(p_tenants uuid[]) RETURNS TABLE (tenant_id uuid, seconds double precision)
LANGUAGE plpgsql AS $$
DECLARE
    v_tenant uuid;
BEGIN
    FOREACH v_tenant IN ARRAY p_tenants LOOP
        EXECUTE format('SET LOCAL app.tenant = %L', v_tenant);
        RETURN QUERY
            SELECT e.tenant_id, extract(epoch FROM clock_timestamp() - e.created_at)::double precision
            FROM public.events e WHERE e.tenant_id = v_tenant ORDER BY e.created_at DESC LIMIT 1;
    END LOOP;
END;
$$;
REVOKE ALL ON FUNCTION newest_event_ages(uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION newest_event_ages(uuid[]) TO goldloop_worker;
