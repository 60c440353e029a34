-- A link to a new password for a member of the transaction's tenant, under a secret's hash; earlier ones of that member
-- end. False when there is no such member, or they have not joined.
CREATE FUNCTION open_reset(p_hash bytea, p_user uuid, p_drops_factor boolean, p_expires_at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    DELETE FROM public.password_resets WHERE tenant_id = tenant AND user_id = p_user;
    INSERT INTO public.password_resets (hash, tenant_id, user_id, drops_factor, expires_at)
    SELECT p_hash, m.tenant_id, m.user_id, p_drops_factor, p_expires_at FROM public.memberships m
    WHERE m.tenant_id = tenant AND m.user_id = p_user AND m.account_id IS NOT NULL;
    RETURN FOUND;
END;
$$;
REVOKE ALL ON FUNCTION open_reset(bytea, uuid, boolean, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION open_reset(bytea, uuid, boolean, timestamptz) TO goldloop_app, goldloop_worker;
