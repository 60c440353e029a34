-- The address that an invitation was made for, while it is valid: one secret, one row.
CREATE FUNCTION invite_address(p_hash bytea) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    SELECT m.email
    FROM public.invites i JOIN public.memberships m ON m.tenant_id = i.tenant_id AND m.user_id = i.user_id
    WHERE i.hash = p_hash AND i.expires_at > now() AND m.account_id IS NULL
$$;
REVOKE ALL ON FUNCTION invite_address(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION invite_address(bytea) TO goldloop_app;
