-- Uses an invitation up: the person joins with the account of the invited address that has this password. Where none
-- has, one is made, which is in this workspace alone. The account, the workspace and the member; no row when the invitation
-- is not valid; a row without an account, and nothing done, when the address's passwords are not those that the hash
-- was made beside. One secret, one row.
CREATE FUNCTION use_invite(p_hash bytea, p_password_hash text, p_name text, p_seen text[])
RETURNS TABLE (account_id uuid, slug text, tenant_id uuid, user_id uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
    address text := public.invite_address(p_hash);
    used record;
BEGIN
    IF address IS NOT NULL AND public.lock_accounts(address) <> p_seen THEN
        RETURN NEXT;
        RETURN;
    END IF;
    SELECT t.tenant_id, t.user_id, t.email INTO used FROM public.take_invite(p_hash) t;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    account_id := public.ensure_account(used.tenant_id, used.user_id, used.email, p_password_hash, p_name);
    slug := public.join_workspace(used.tenant_id, used.user_id, account_id);
    tenant_id := used.tenant_id;
    user_id := used.user_id;
    RETURN NEXT;
END;
$$;
REVOKE ALL ON FUNCTION use_invite(bytea, text, text, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION use_invite(bytea, text, text, text[]) TO goldloop_app;
