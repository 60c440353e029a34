-- Whether an invitation can still be used, before a costly password hash is computed for it.
CREATE FUNCTION invite_is_open(p_hash bytea) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    SELECT EXISTS (SELECT FROM public.invites WHERE hash = p_hash AND expires_at > now())
$$;
REVOKE ALL ON FUNCTION invite_is_open(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION invite_is_open(bytea) TO goldloop_app;
