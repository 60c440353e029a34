-- An account without a password, for who comes from a provider.
CREATE FUNCTION make_account(p_id uuid, p_email text, p_name text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
    INSERT INTO public.users (id, email, name) VALUES (p_id, p_email, p_name)
$$;
REVOKE ALL ON FUNCTION make_account(uuid, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION make_account(uuid, text, text) TO goldloop_app;
