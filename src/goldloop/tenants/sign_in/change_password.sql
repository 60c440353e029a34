-- A new password for the account behind a sign-in session; its other sessions end. One secret, one row. False, and
-- nothing done, when the address's passwords are not those that the hash was made beside; none without a session.
CREATE FUNCTION change_password(p_session bytea, p_password_hash text, p_seen text[]) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
    account uuid;
BEGIN
    SELECT s.user_id INTO account FROM public.sign_in_sessions s WHERE s.hash = p_session AND s.expires_at > now();
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    IF NOT public.set_password(account, p_password_hash, p_seen) THEN
        RETURN false;
    END IF;
    DELETE FROM public.sign_in_sessions WHERE user_id = account AND hash <> p_session;
    RETURN true;
END;
$$;
REVOKE ALL ON FUNCTION change_password(bytea, text, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION change_password(bytea, text, text[]) TO goldloop_app;
