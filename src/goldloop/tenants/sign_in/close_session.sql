-- Ends a sign-in session.
CREATE FUNCTION close_session(p_hash bytea) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
    DELETE FROM public.sign_in_sessions WHERE hash = p_hash;
    SELECT pg_notify('goldloop_auth', '')
$$;
REVOKE ALL ON FUNCTION close_session(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION close_session(bytea) TO goldloop_app;
