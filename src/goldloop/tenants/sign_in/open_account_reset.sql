-- An operator's act: a link to a new password for an account, under a secret's hash; earlier ones of the operator end.
CREATE FUNCTION open_account_reset(p_hash bytea, p_account uuid, p_drops_factor boolean, p_expires_at timestamptz)
RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
    DELETE FROM public.password_resets WHERE account_id = p_account;
    INSERT INTO public.password_resets (hash, account_id, drops_factor, expires_at)
    VALUES (p_hash, p_account, p_drops_factor, p_expires_at)
$$;
REVOKE ALL ON FUNCTION open_account_reset(bytea, uuid, boolean, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION open_account_reset(bytea, uuid, boolean, timestamptz) TO goldloop_worker;
