-- An operator's act: lets an invited member of the transaction's tenant in, with the account of their address that has
-- this password, made if none has; returns the account. None, and nothing done, when they have joined already. The
-- hash was made after `lock_accounts`.
CREATE FUNCTION set_first_password(p_user uuid, p_password_hash text, p_name text) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    address text;
    account uuid;
BEGIN
    SELECT m.email INTO address FROM public.memberships m
    WHERE m.tenant_id = tenant AND m.user_id = p_user AND m.account_id IS NULL FOR UPDATE;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    account := public.ensure_account(tenant, p_user, address, p_password_hash, p_name);
    UPDATE public.memberships SET account_id = account, joined_at = now() WHERE tenant_id = tenant AND user_id = p_user;
    DELETE FROM public.invites WHERE tenant_id = tenant AND user_id = p_user;
    RETURN account;
END;
$$;
REVOKE ALL ON FUNCTION set_first_password(uuid, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION set_first_password(uuid, text, text) TO goldloop_worker;
