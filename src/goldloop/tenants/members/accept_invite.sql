-- Uses an invitation up for the signed-in person whose address it was made for. Two secrets, one row: the
-- workspace and the member with their name, no slug (the invitation is for another address), or no row (it is not valid any more).
CREATE FUNCTION accept_invite(p_hash bytea, p_session bytea) RETURNS TABLE (slug text, tenant_id uuid, user_id uuid, name text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
    account record;
    used record;
BEGIN
    SELECT u.id, u.email, u.name INTO account
    FROM public.sign_in_sessions s JOIN public.users u ON u.id = s.user_id
    WHERE s.hash = p_session AND s.expires_at > now();
    IF account.id IS NOT NULL AND public.invite_address(p_hash) <> account.email THEN
        RETURN NEXT;
        RETURN;
    END IF;
    SELECT t.tenant_id, t.user_id INTO used FROM public.take_invite(p_hash) t WHERE account.id IS NOT NULL;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    slug := public.join_workspace(used.tenant_id, used.user_id, account.id);
    tenant_id := used.tenant_id;
    user_id := used.user_id;
    name := account.name;
    RETURN NEXT;
END;
$$;
REVOKE ALL ON FUNCTION accept_invite(bytea, bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION accept_invite(bytea, bytea) TO goldloop_app;
