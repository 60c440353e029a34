-- Uses an invitation up: the person joins with the account of the invited address that has this password. Where none
-- has, one is made, which is in this workspace alone. None when the invitation is not valid. One secret, one row.
CREATE FUNCTION use_invite(p_hash bytea, p_password_hash text, p_name text) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
    used record;
    account uuid;
BEGIN
    SELECT t.tenant_id, t.user_id, t.email INTO used FROM public.take_invite(p_hash) t;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    account := public.ensure_account(used.tenant_id, used.user_id, used.email, p_password_hash, p_name);
    PERFORM public.join_workspace(used.tenant_id, used.user_id, account, p_name);
    RETURN account;
END;
$$;
REVOKE ALL ON FUNCTION use_invite(bytea, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION use_invite(bytea, text, text) TO goldloop_app;
