-- Hands an account over to a provider that is trusted with its address: its password, second factor and sessions go, so
-- that whoever had them gets nothing of what the provider gives from now on. False, and nothing done, for one that owns a
-- workspace, or has an identity of that provider already: its person links it.
CREATE FUNCTION claim_account(p_account uuid, p_issuer text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
    PERFORM public.lock_accounts((SELECT u.email FROM public.users u WHERE u.id = p_account));
    IF EXISTS (SELECT FROM public.memberships m WHERE m.account_id = p_account AND m.role = 'owner')
       OR EXISTS (SELECT FROM public.identities i WHERE i.account_id = p_account AND i.issuer = p_issuer) THEN
        RETURN false;
    END IF;
    UPDATE public.users SET password_hash = NULL WHERE id = p_account;
    DELETE FROM public.second_factors WHERE account_id = p_account;
    DELETE FROM public.password_resets WHERE account_id = p_account;
    DELETE FROM public.sign_in_sessions WHERE user_id = p_account;
    PERFORM pg_notify('goldloop_auth', '');
    RETURN true;
END;
$$;
REVOKE ALL ON FUNCTION claim_account(uuid, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION claim_account(uuid, text) TO goldloop_app;
