-- The person with an address, made if there is none yet.
CREATE FUNCTION ensure_user(p_id uuid, p_email text, p_name text) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
    person uuid;
BEGIN
    INSERT INTO public.users (id, email, name) VALUES (p_id, lower(p_email), p_name)
    ON CONFLICT (email) DO NOTHING;
    SELECT u.id INTO person FROM public.users u WHERE u.email = lower(p_email);
    RETURN person;
END;
$$;
REVOKE ALL ON FUNCTION ensure_user(uuid, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ensure_user(uuid, text, text) TO goldloop_app, goldloop_worker;
