-- Gives a membership its account; part of using an invitation, whatever the way. Returns the workspace's slug. The name that
-- the person goes by is the workspace's own row, which the caller writes as the member.
CREATE FUNCTION join_workspace(p_tenant uuid, p_user uuid, p_account uuid) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
    UPDATE public.memberships SET account_id = p_account, joined_at = now()
    WHERE tenant_id = p_tenant AND user_id = p_user;
    PERFORM pg_notify('goldloop_auth', '');
    RETURN (SELECT t.slug FROM public.tenants t WHERE t.id = p_tenant);
END;
$$;
REVOKE ALL ON FUNCTION join_workspace(uuid, uuid, uuid) FROM PUBLIC;
-- No role may call it: other functions do, with the owner's rights.
