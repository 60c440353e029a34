-- Ends a sign-in session: the provider that its person signed in at, and what to name there when signing out.
CREATE FUNCTION close_session(p_hash bytea) RETURNS TABLE (provider text, id_token bytea)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
    PERFORM pg_notify('goldloop_auth', '');
    RETURN QUERY DELETE FROM public.sign_in_sessions s WHERE s.hash = p_hash RETURNING s.provider, s.id_token;
END;
$$;
REVOKE ALL ON FUNCTION close_session(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION close_session(bytea) TO goldloop_app;
