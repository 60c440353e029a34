-- A second factor for the account behind a sign-in session, which counts when a first code of it was right; one that was
-- begun before is replaced. False when the account has one that counts. One secret, one row.
CREATE FUNCTION begin_second_factor(p_session bytea, p_secret bytea) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
    INSERT INTO public.second_factors AS f (account_id, secret)
    SELECT s.user_id, p_secret FROM public.sign_in_sessions s WHERE s.hash = p_session AND s.expires_at > now()
    ON CONFLICT (account_id) DO UPDATE SET secret = excluded.secret, last_step = 0, created_at = excluded.created_at
    WHERE f.confirmed_at IS NULL;
    RETURN FOUND;
END;
$$;
REVOKE ALL ON FUNCTION begin_second_factor(bytea, bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION begin_second_factor(bytea, bytea) TO goldloop_app;
