-- The hashes of an address's passwords, the oldest account first, and nobody else changes them in the meantime. All
-- have one salt, and no two are alike: both hold only if who adds one has seen the others.
CREATE FUNCTION lock_accounts(p_email text) RETURNS text[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('goldloop accounts'), hashtext(p_email));
    RETURN ARRAY(SELECT u.password_hash FROM public.users u
                 WHERE u.email = p_email AND u.password_hash IS NOT NULL ORDER BY u.created_at, u.id);
END;
$$;
REVOKE ALL ON FUNCTION lock_accounts(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lock_accounts(text) TO goldloop_worker;
