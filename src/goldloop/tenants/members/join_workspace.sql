-- Gives a membership its account and the name that the person goes by; part of using an invitation, whatever the way.
-- Returns the workspace's slug.
CREATE FUNCTION join_workspace(p_tenant uuid, p_user uuid, p_account uuid, p_name text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
    UPDATE public.memberships SET account_id = p_account, joined_at = now()
    WHERE tenant_id = p_tenant AND user_id = p_user;
    EXECUTE format('SET LOCAL app.tenant = %L', p_tenant);
    EXECUTE format('SET LOCAL app.actor = %L', 'user:' || p_user);
    UPDATE public.parties SET name = p_name WHERE tenant_id = p_tenant AND kind = 'user' AND id = p_user;
    SET LOCAL app.tenant = '';
    PERFORM pg_notify('goldloop_auth', '');
    RETURN (SELECT t.slug FROM public.tenants t WHERE t.id = p_tenant);
END;
$$;
REVOKE ALL ON FUNCTION join_workspace(uuid, uuid, uuid, text) FROM PUBLIC;
-- No role may call it: other functions do, with the owner's rights.
