-- A new password for an account. Another account of the address that has this very password is the same person's, who
-- holds both: the two become one, and whoever signs in finds all their workspaces.
CREATE FUNCTION set_password(p_account uuid, p_password_hash text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
    same uuid[];
BEGIN
    SELECT array_agg(o.id) INTO same
    FROM public.users u JOIN public.users o ON o.email = u.email AND o.id <> u.id
    WHERE u.id = p_account AND o.password_hash = p_password_hash;
    UPDATE public.users SET password_hash = p_password_hash WHERE id = p_account;
    UPDATE public.memberships SET account_id = p_account WHERE account_id = ANY (same);
    DELETE FROM public.users WHERE id = ANY (same);
    PERFORM pg_notify('goldloop_auth', '');
END;
$$;
REVOKE ALL ON FUNCTION set_password(uuid, text) FROM PUBLIC;
-- No role may call it: other functions do, with the owner's rights.
