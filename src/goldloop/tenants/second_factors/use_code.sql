-- Uses the code of a time step up: false when one of that time, or of a later one, was used. The first makes a second
-- factor count.
CREATE FUNCTION use_code(p_account uuid, p_step bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
    UPDATE public.second_factors SET last_step = p_step, confirmed_at = coalesce(confirmed_at, now())
    WHERE account_id = p_account AND last_step < p_step;
    RETURN FOUND;
END;
$$;
REVOKE ALL ON FUNCTION use_code(uuid, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION use_code(uuid, bigint) TO goldloop_app;
