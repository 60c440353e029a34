-- Opens a sign-in session under a secret's hash.
CREATE FUNCTION open_session(p_hash bytea, p_user uuid, p_expires_at timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
    INSERT INTO public.sign_in_sessions (hash, user_id, expires_at) VALUES (p_hash, p_user, p_expires_at)
$$;
REVOKE ALL ON FUNCTION open_session(bytea, uuid, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION open_session(bytea, uuid, timestamptz) TO goldloop_app;
