-- Ends a sign-in session; with p_others every other session of the same person instead.
CREATE FUNCTION close_session(p_hash bytea, p_others boolean) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
    DELETE FROM public.sign_in_sessions s
    WHERE CASE WHEN p_others
        THEN s.hash <> p_hash AND s.user_id = (SELECT o.user_id FROM public.sign_in_sessions o WHERE o.hash = p_hash)
        ELSE s.hash = p_hash END;
    SELECT pg_notify('goldloop_auth', '')
$$;
REVOKE ALL ON FUNCTION close_session(bytea, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION close_session(bytea, boolean) TO goldloop_app;
