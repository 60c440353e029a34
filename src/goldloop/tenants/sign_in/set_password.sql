-- A new password for an account. Another account of the address that has this very password is the same person's, who
-- holds both: the two become one, and whoever signs in finds all their workspaces. A second factor of the other stays, and
-- all sessions end: who knows its password alone gets no further by this. False, and nothing done, when the
-- address's passwords are not those that the hash was made beside.
CREATE FUNCTION set_password(p_account uuid, p_password_hash text, p_seen text[]) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
    address text;
    same uuid[];
BEGIN
    SELECT u.email INTO address FROM public.users u WHERE u.id = p_account;
    IF address IS NULL OR public.lock_accounts(address) <> p_seen THEN
        RETURN false;
    END IF;
    same := ARRAY(SELECT u.id FROM public.users u
                  WHERE u.email = address AND u.password_hash = p_password_hash AND u.id <> p_account);
    UPDATE public.memberships SET account_id = p_account WHERE account_id = ANY (same);
    UPDATE public.identities SET account_id = p_account WHERE account_id = ANY (same);
    IF EXISTS (SELECT FROM public.second_factors f WHERE f.account_id = ANY (same) AND f.confirmed_at IS NOT NULL) THEN
        DELETE FROM public.second_factors WHERE account_id = p_account;
        INSERT INTO public.second_factors (account_id, secret, last_step, created_at, confirmed_at)
        SELECT p_account, f.secret, f.last_step, f.created_at, f.confirmed_at FROM public.second_factors f
        WHERE f.account_id = ANY (same) AND f.confirmed_at IS NOT NULL LIMIT 1;
        INSERT INTO public.recovery_codes (account_id, hash)
        SELECT p_account, c.hash FROM public.recovery_codes c WHERE c.account_id = ANY (same) ON CONFLICT DO NOTHING;
        DELETE FROM public.sign_in_sessions WHERE user_id = p_account;
    END IF;
    DELETE FROM public.users WHERE id = ANY (same);
    UPDATE public.users SET password_hash = p_password_hash WHERE id = p_account;
    PERFORM pg_notify('goldloop_auth', '');
    RETURN true;
END;
$$;
REVOKE ALL ON FUNCTION set_password(uuid, text, text[]) FROM PUBLIC;
-- No role may call it: other functions do, with the owner's rights.
