-- The recovery codes of an account, in place of those before.
CREATE FUNCTION set_recovery_codes(p_account uuid, p_hashes bytea[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
    DELETE FROM public.recovery_codes WHERE account_id = p_account;
    INSERT INTO public.recovery_codes (account_id, hash) SELECT p_account, h FROM unnest(p_hashes) h ON CONFLICT DO NOTHING
$$;
REVOKE ALL ON FUNCTION set_recovery_codes(uuid, bytea[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION set_recovery_codes(uuid, bytea[]) TO goldloop_app;
