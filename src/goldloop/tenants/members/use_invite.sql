-- Uses an invitation up: sets the name and password of the person it was made for, if they are still a member
-- and have no password yet. One secret, one row.
CREATE FUNCTION use_invite(p_hash bytea, p_password_hash text, p_name text) RETURNS uuid
LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
    WITH used AS (
        DELETE FROM public.invites WHERE hash = p_hash AND expires_at > now()
        RETURNING user_id, tenant_id
    )
    UPDATE public.users u SET password_hash = p_password_hash, name = p_name
    FROM used JOIN public.memberships m ON m.user_id = used.user_id AND m.tenant_id = used.tenant_id
    WHERE u.id = used.user_id AND u.password_hash IS NULL
    RETURNING u.id
$$;
REVOKE ALL ON FUNCTION use_invite(bytea, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION use_invite(bytea, text, text) TO goldloop_app;
