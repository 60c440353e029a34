-- The accounts of an address and the workspaces that each is in, the oldest first. For the operator's commands.
CREATE FUNCTION find_accounts(p_email text) RETURNS TABLE (id uuid, password_hash text, workspaces text[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    SELECT u.id, u.password_hash,
           ARRAY(SELECT t.slug FROM public.memberships m JOIN public.tenants t ON t.id = m.tenant_id
                 WHERE m.account_id = u.id ORDER BY t.slug)
    FROM public.users u WHERE u.email = lower(p_email) ORDER BY u.created_at, u.id
$$;
REVOKE ALL ON FUNCTION find_accounts(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_accounts(text) TO goldloop_worker;
