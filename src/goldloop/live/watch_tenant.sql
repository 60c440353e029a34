-- Keeps a process's word that somebody looks at the transaction's tenant.
CREATE FUNCTION watch_tenant(p_watcher uuid, p_for interval) RETURNS void
LANGUAGE sql AS $$
    DELETE FROM public.live_watchers
    WHERE tenant_id = nullif(current_setting('app.tenant', true), '')::uuid AND until < now() - interval '1 minute';
    INSERT INTO public.live_watchers (tenant_id, watcher, until)
    VALUES (nullif(current_setting('app.tenant', true), '')::uuid, p_watcher, now() + p_for)
    ON CONFLICT (tenant_id, watcher) DO UPDATE SET until = excluded.until
$$;
REVOKE ALL ON FUNCTION watch_tenant(uuid, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION watch_tenant(uuid, interval) TO goldloop_app;
