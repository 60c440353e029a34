-- Lets somebody whom a provider's claims make a member into the transaction's tenant: the member has an account from now on.
CREATE FUNCTION join_by_provider(p_user uuid, p_account uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    DELETE FROM public.invites WHERE tenant_id = tenant AND user_id = p_user;
    PERFORM public.join_workspace(tenant, p_user, p_account);
END;
$$;
REVOKE ALL ON FUNCTION join_by_provider(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION join_by_provider(uuid, uuid) TO goldloop_app;
