-- A new password for the account behind a sign-in session; its other sessions end. One secret, one row.
CREATE FUNCTION change_password(p_session bytea, p_password_hash text) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
    account uuid;
BEGIN
    SELECT s.user_id INTO account FROM public.sign_in_sessions s WHERE s.hash = p_session AND s.expires_at > now();
    IF FOUND THEN
        PERFORM public.set_password(account, p_password_hash);
        DELETE FROM public.sign_in_sessions WHERE user_id = account AND hash <> p_session;
    END IF;
    RETURN account;
END;
$$;
REVOKE ALL ON FUNCTION change_password(bytea, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION change_password(bytea, text) TO goldloop_app;
