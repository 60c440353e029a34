-- Sets a person's password hash; the caller has proved who they are.
CREATE FUNCTION set_password(p_user uuid, p_password_hash text, p_name text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
    UPDATE public.users SET password_hash = p_password_hash, name = coalesce(p_name, name) WHERE id = p_user
$$;
REVOKE ALL ON FUNCTION set_password(uuid, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION set_password(uuid, text, text) TO goldloop_app, goldloop_worker;
