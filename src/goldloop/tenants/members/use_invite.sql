-- Uses an invitation up: sets the name and first password of the person it was made for, who thereby joins. None
-- when they have a password: an account is entered only with its own. One secret, one row.
CREATE FUNCTION use_invite(p_hash bytea, p_password_hash text, p_name text) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
    used record;
BEGIN
    SELECT i.user_id, i.tenant_id INTO used
    FROM public.invites i JOIN public.users u ON u.id = i.user_id AND u.password_hash IS NULL
    JOIN public.memberships m ON m.user_id = i.user_id AND m.tenant_id = i.tenant_id
    WHERE i.hash = p_hash AND i.expires_at > now() FOR UPDATE OF i, u;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    DELETE FROM public.invites WHERE hash = p_hash;
    UPDATE public.users SET password_hash = p_password_hash, name = p_name WHERE id = used.user_id;
    PERFORM public.join_workspace(used.tenant_id, used.user_id);
    RETURN used.user_id;
END;
$$;
REVOKE ALL ON FUNCTION use_invite(bytea, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION use_invite(bytea, text, text) TO goldloop_app;
