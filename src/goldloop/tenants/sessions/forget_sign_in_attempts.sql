-- A good sign-in wipes the subject's count.
CREATE FUNCTION forget_sign_in_attempts(p_subject bytea) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
    DELETE FROM public.sign_in_attempts WHERE subject = p_subject
$$;
REVOKE ALL ON FUNCTION forget_sign_in_attempts(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_sign_in_attempts(bytea) TO goldloop_app;
