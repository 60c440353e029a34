-- Uses a link to a new password up. An operator's link sets the account's, wherever it is in. A workspace's speaks for that
-- workspace alone: where the account is in no other, its password is set, and identities that were linked to it go; where
-- it is in another too, it stays there as it is, and the member goes on with the account of the address that has this
-- password, made if none has. Sessions of the account that is changed end. The account; a row without one, and nothing
-- done, when the address's passwords are not those that the hash was made beside; no row when the link is not valid.
CREATE FUNCTION use_reset(p_hash bytea, p_password_hash text, p_new uuid, p_seen text[]) RETURNS TABLE (account_id uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
    link record;
    member record;
    address text := (SELECT f.email FROM public.find_reset(p_hash) f);
BEGIN
    IF address IS NULL THEN
        RETURN;
    END IF;
    IF public.lock_accounts(address) <> p_seen THEN
        RETURN NEXT;
        RETURN;
    END IF;
    SELECT r.tenant_id, r.user_id, r.account_id, r.drops_factor INTO link
    FROM public.password_resets r WHERE r.hash = p_hash FOR UPDATE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    account_id := link.account_id;
    IF account_id IS NULL THEN
        SELECT m.account_id, m.email INTO member FROM public.memberships m
        WHERE m.tenant_id = link.tenant_id AND m.user_id = link.user_id FOR UPDATE;
        account_id := member.account_id;
        IF EXISTS (SELECT FROM public.memberships m
                   WHERE m.account_id = member.account_id AND m.tenant_id <> link.tenant_id) THEN
            account_id := public.ensure_account(
                link.tenant_id, p_new, address, p_password_hash,
                (SELECT u.name FROM public.users u WHERE u.id = member.account_id));
            UPDATE public.memberships m SET account_id = use_reset.account_id, signed_in_after = NULL
            WHERE m.tenant_id = link.tenant_id AND m.user_id = link.user_id;
            DELETE FROM public.password_resets WHERE hash = p_hash;
            PERFORM pg_notify('goldloop_auth', '');
            RETURN NEXT;
            RETURN;
        END IF;
        DELETE FROM public.identities i WHERE i.account_id = member.account_id;
    END IF;
    PERFORM public.set_password(account_id, p_password_hash, p_seen);
    IF link.drops_factor THEN
        DELETE FROM public.second_factors f WHERE f.account_id = use_reset.account_id;
    END IF;
    DELETE FROM public.sign_in_sessions WHERE user_id = account_id;
    DELETE FROM public.password_resets WHERE hash = p_hash;
    RETURN NEXT;
END;
$$;
REVOKE ALL ON FUNCTION use_reset(bytea, text, uuid, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION use_reset(bytea, text, uuid, text[]) TO goldloop_app;
