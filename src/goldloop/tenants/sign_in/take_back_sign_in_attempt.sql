-- A good sign-in is no attempt. Those that failed before it still count: an address may have another person's account.
CREATE FUNCTION take_back_sign_in_attempt(p_subject bytea) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
    UPDATE public.sign_in_attempts SET attempts = attempts - 1 WHERE subject = p_subject AND attempts > 0
$$;
REVOKE ALL ON FUNCTION take_back_sign_in_attempt(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_back_sign_in_attempt(bytea) TO goldloop_app;
