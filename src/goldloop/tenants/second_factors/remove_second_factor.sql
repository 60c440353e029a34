-- Takes the second factor of an account away, and its recovery codes with it.
CREATE FUNCTION remove_second_factor(p_account uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
    DELETE FROM public.second_factors WHERE account_id = p_account
$$;
REVOKE ALL ON FUNCTION remove_second_factor(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION remove_second_factor(uuid) TO goldloop_app;
