-- Signs a member of the transaction's tenant out of it: sessions from before now do not open it any more. Where the
-- account is in no other workspace they end. False when there is no such member, or they have not joined.
CREATE FUNCTION end_member_sessions(p_user uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    account uuid;
BEGIN
    UPDATE public.memberships m SET signed_in_after = clock_timestamp()
    WHERE m.tenant_id = tenant AND m.user_id = p_user AND m.account_id IS NOT NULL
    RETURNING m.account_id INTO account;
    IF account IS NULL THEN
        RETURN false;
    END IF;
    DELETE FROM public.sign_in_sessions s
    WHERE s.user_id = account
      AND NOT EXISTS (SELECT FROM public.memberships m WHERE m.account_id = account AND m.tenant_id <> tenant);
    PERFORM pg_notify('goldloop_auth', '');
    RETURN true;
END;
$$;
REVOKE ALL ON FUNCTION end_member_sessions(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION end_member_sessions(uuid) TO goldloop_app, goldloop_worker;
