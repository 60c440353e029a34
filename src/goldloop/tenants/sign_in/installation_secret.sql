-- What this installation signs with when no secret key is set: the same for all its processes.
CREATE FUNCTION installation_secret() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    SELECT secret FROM public.installation
$$;
REVOKE ALL ON FUNCTION installation_secret() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION installation_secret() TO goldloop_app, goldloop_worker;
