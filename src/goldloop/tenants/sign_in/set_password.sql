-- A new password for an account. Another account of the address that has this very password is the same person's, who
-- holds both: the two become one, and whoever signs in finds all their workspaces. False, and nothing done, when the
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
    DELETE FROM public.users WHERE id = ANY (same);
    UPDATE public.users SET password_hash = p_password_hash WHERE id = p_account;
    PERFORM pg_notify('goldloop_auth', '');
    RETURN true;
END;
$$;
REVOKE ALL ON FUNCTION set_password(uuid, text, text[]) FROM PUBLIC;
-- No role may call it: other functions do, with the owner's rights.
