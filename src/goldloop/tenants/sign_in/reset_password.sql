-- An operator's act: a new password for an account, which is signed out everywhere. False, and nothing done, when the
-- address's passwords are not those that the hash was made beside.
CREATE FUNCTION reset_password(p_account uuid, p_password_hash text, p_seen text[]) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
    IF NOT public.set_password(p_account, p_password_hash, p_seen) THEN
        RETURN false;
    END IF;
    DELETE FROM public.sign_in_sessions WHERE user_id = p_account;
    RETURN true;
END;
$$;
REVOKE ALL ON FUNCTION reset_password(uuid, text, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reset_password(uuid, text, text[]) TO goldloop_worker;
