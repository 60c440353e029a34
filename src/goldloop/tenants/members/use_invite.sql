-- Uses an invitation up: the person it was made for, if they are still a member and have no password yet.
CREATE FUNCTION use_invite(p_hash bytea) RETURNS uuid
LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
    WITH used AS (
        DELETE FROM public.invites WHERE hash = p_hash AND expires_at > now()
        RETURNING user_id, tenant_id
    )
    SELECT u.id FROM used
    JOIN public.users u ON u.id = used.user_id AND u.password_hash IS NULL
    JOIN public.memberships m ON m.user_id = u.id AND m.tenant_id = used.tenant_id
$$;
REVOKE ALL ON FUNCTION use_invite(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION use_invite(bytea) TO goldloop_app;
