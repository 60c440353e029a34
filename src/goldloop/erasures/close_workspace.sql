-- Nobody gets into the workspace any more: neither its members nor keys. The first thing when it is deleted.
CREATE FUNCTION close_workspace() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    DELETE FROM public.api_key_hashes h WHERE h.tenant_id = tenant;
    DELETE FROM public.memberships m WHERE m.tenant_id = tenant;
END;
$$;
REVOKE ALL ON FUNCTION close_workspace() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION close_workspace() TO goldloop_eraser;
