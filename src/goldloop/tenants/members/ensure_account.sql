-- The account of an address that has a password, made if none has. An account that a workspace made earlier for the
-- address and that is in no workspace any more goes: there are never more of them than workspaces that ask.
CREATE FUNCTION ensure_account(p_tenant uuid, p_id uuid, p_email text, p_password_hash text, p_name text) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
    found_id uuid;
BEGIN
    PERFORM public.lock_accounts(p_email);
    SELECT u.id INTO found_id FROM public.users u WHERE u.email = p_email AND u.password_hash = p_password_hash;
    IF FOUND THEN
        RETURN found_id;
    END IF;
    DELETE FROM public.users u
    WHERE u.email = p_email AND u.made_in = p_tenant
      AND NOT EXISTS (SELECT FROM public.memberships m WHERE m.account_id = u.id)
      AND NOT EXISTS (SELECT FROM public.identities i WHERE i.account_id = u.id);
    INSERT INTO public.users (id, email, name, password_hash, made_in)
    VALUES (p_id, p_email, p_name, p_password_hash, p_tenant);
    RETURN p_id;
END;
$$;
REVOKE ALL ON FUNCTION ensure_account(uuid, uuid, text, text, text) FROM PUBLIC;
-- No role may call it: other functions do, with the owner's rights.
