-- What a password is checked against: one address, a row for each of its accounts that has a password, the
-- oldest first.
CREATE FUNCTION auth_password(p_email text) RETURNS TABLE (user_id uuid, password_hash text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    SELECT u.id, u.password_hash FROM public.users u
    WHERE u.email = lower(p_email) AND u.password_hash IS NOT NULL ORDER BY u.created_at, u.id
$$;
REVOKE ALL ON FUNCTION auth_password(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION auth_password(text) TO goldloop_app, goldloop_worker;
