-- Takes an identity from the account behind a sign-in session. False, and nothing done, when it is the only way in; none
-- when it is not this account's.
CREATE FUNCTION unlink_identity(p_session bytea, p_id uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
    account uuid := (SELECT s.user_id FROM public.sign_in_sessions s WHERE s.hash = p_session AND s.expires_at > now());
    has_other boolean;
BEGIN
    SELECT u.password_hash IS NOT NULL
           OR EXISTS (SELECT FROM public.identities i WHERE i.account_id = account AND i.id <> p_id)
    INTO has_other FROM public.users u WHERE u.id = account FOR UPDATE;
    IF NOT EXISTS (SELECT FROM public.identities i WHERE i.account_id = account AND i.id = p_id) THEN
        RETURN NULL;
    END IF;
    IF has_other THEN
        DELETE FROM public.identities WHERE id = p_id AND account_id = account;
    END IF;
    RETURN has_other;
END;
$$;
REVOKE ALL ON FUNCTION unlink_identity(bytea, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION unlink_identity(bytea, uuid) TO goldloop_app;
