-- Ends another session of the account behind a session, or all others; returns how many.
CREATE FUNCTION end_own_sessions(p_session bytea, p_id uuid) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
    ended integer;
BEGIN
    DELETE FROM public.sign_in_sessions s
    USING public.sign_in_sessions own
    WHERE own.hash = p_session AND own.expires_at > now() AND s.user_id = own.user_id AND s.hash <> p_session
      AND (p_id IS NULL OR s.id = p_id);
    GET DIAGNOSTICS ended = ROW_COUNT;
    PERFORM pg_notify('goldloop_auth', '');
    RETURN ended;
END;
$$;
REVOKE ALL ON FUNCTION end_own_sessions(bytea, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION end_own_sessions(bytea, uuid) TO goldloop_app;
