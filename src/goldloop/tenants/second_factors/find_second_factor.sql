-- What the codes of an account are checked against, sealed; no row where it has no second factor.
CREATE FUNCTION find_second_factor(p_account uuid) RETURNS TABLE (secret bytea, last_step bigint, is_confirmed boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    SELECT f.secret, f.last_step, f.confirmed_at IS NOT NULL FROM public.second_factors f WHERE f.account_id = p_account
$$;
REVOKE ALL ON FUNCTION find_second_factor(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_second_factor(uuid) TO goldloop_app;
