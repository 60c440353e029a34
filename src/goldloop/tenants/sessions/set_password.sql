-- An operator's act: the first password of a person who was made with one.
CREATE FUNCTION set_password(p_user uuid, p_password_hash text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
    UPDATE public.users SET password_hash = p_password_hash WHERE id = p_user
$$;
REVOKE ALL ON FUNCTION set_password(uuid, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION set_password(uuid, text) TO goldloop_worker;
