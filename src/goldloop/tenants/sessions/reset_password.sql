-- An operator's act: a new password for an account, which is signed out everywhere.
CREATE FUNCTION reset_password(p_account uuid, p_password_hash text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
    PERFORM public.set_password(p_account, p_password_hash);
    DELETE FROM public.sign_in_sessions WHERE user_id = p_account;
END;
$$;
REVOKE ALL ON FUNCTION reset_password(uuid, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reset_password(uuid, text) TO goldloop_worker;
