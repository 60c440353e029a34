-- The accounts of an address and the workspaces that each is in, the oldest first; then a row without an account for
-- the workspaces that the address is invited to. For the operator's commands.
CREATE FUNCTION find_accounts(p_email text) RETURNS TABLE (id uuid, password_hash text, workspaces text[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    (SELECT u.id, u.password_hash,
            ARRAY(SELECT t.slug FROM public.memberships m JOIN public.tenants t ON t.id = m.tenant_id
                  WHERE m.account_id = u.id ORDER BY t.slug)
     FROM public.users u WHERE u.email = lower(p_email) ORDER BY u.created_at, u.id)
    UNION ALL
    SELECT NULL, NULL, array_agg(t.slug ORDER BY t.slug)
    FROM public.memberships m JOIN public.tenants t ON t.id = m.tenant_id
    WHERE m.email = lower(p_email) AND m.account_id IS NULL HAVING count(*) > 0
$$;
REVOKE ALL ON FUNCTION find_accounts(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_accounts(text) TO goldloop_worker;
