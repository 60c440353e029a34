-- Uses a recovery code of an account up; false when it is none.
CREATE FUNCTION use_recovery_code(p_account uuid, p_hash bytea) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
    DELETE FROM public.recovery_codes WHERE account_id = p_account AND hash = p_hash;
    RETURN FOUND;
END;
$$;
REVOKE ALL ON FUNCTION use_recovery_code(uuid, bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION use_recovery_code(uuid, bytea) TO goldloop_app;
