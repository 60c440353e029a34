-- An operator's act: a new password for the person with an address, who is signed out everywhere.
CREATE FUNCTION reset_password(p_email text, p_password_hash text) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
    person uuid;
BEGIN
    UPDATE public.users SET password_hash = p_password_hash WHERE email = lower(p_email) RETURNING id INTO person;
    DELETE FROM public.sign_in_sessions WHERE user_id = person;
    PERFORM pg_notify('goldloop_auth', '');
    RETURN person;
END;
$$;
REVOKE ALL ON FUNCTION reset_password(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reset_password(text, text) TO goldloop_worker;
