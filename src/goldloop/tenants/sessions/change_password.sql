-- A new password for the person behind a sign-in session; their other sessions end. One secret, one row.
CREATE FUNCTION change_password(p_session bytea, p_password_hash text) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
    person uuid;
BEGIN
    UPDATE public.users u SET password_hash = p_password_hash
    FROM public.sign_in_sessions s
    WHERE s.hash = p_session AND s.expires_at > now() AND u.id = s.user_id
    RETURNING u.id INTO person;
    DELETE FROM public.sign_in_sessions WHERE user_id = person AND hash <> p_session;
    PERFORM pg_notify('goldloop_auth', '');
    RETURN person;
END;
$$;
REVOKE ALL ON FUNCTION change_password(bytea, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION change_password(bytea, text) TO goldloop_app;
