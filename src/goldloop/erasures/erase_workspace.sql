-- The workspace itself, with what is left of it, its jobs, and accounts that were made in it and belong to no other; what
-- went is written down where it outlives it.
CREATE FUNCTION erase_workspace(p_gone jsonb, p_requested timestamptz, p_job uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = procrastinate, pg_temp AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    INSERT INTO public.erased_workspaces (workspace_id, slug, gone, requested_at, ended_at)
    SELECT t.id, t.slug, p_gone, p_requested, clock_timestamp() FROM public.tenants t WHERE t.id = tenant ON CONFLICT DO NOTHING;
    DELETE FROM procrastinate.procrastinate_jobs j
    WHERE j.args ? 'id' AND j.args ->> 'tenant_id' = tenant::text AND j.args ->> 'id' <> p_job::text;
    DELETE FROM public.users u WHERE u.made_in = tenant
      AND NOT EXISTS (SELECT FROM public.memberships m WHERE m.account_id = u.id);
    DELETE FROM public.tenants t WHERE t.id = tenant;
END;
$$;
REVOKE ALL ON FUNCTION erase_workspace(jsonb, timestamptz, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_workspace(jsonb, timestamptz, uuid) TO goldloop_eraser;
