-- What an invitation asks of whoever opens it: `open` (choose a password), `account_exists` (sign in), or none.
-- Asked before a costly password hash is computed.
CREATE FUNCTION invite_state(p_hash bytea) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    SELECT CASE WHEN u.password_hash IS NULL THEN 'open' ELSE 'account_exists' END
    FROM public.invites i JOIN public.users u ON u.id = i.user_id
    WHERE i.hash = p_hash AND i.expires_at > now()
$$;
REVOKE ALL ON FUNCTION invite_state(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION invite_state(bytea) TO goldloop_app;
