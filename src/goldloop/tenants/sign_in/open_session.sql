-- Opens a sign-in session under a secret's hash, with how and where from its person signed in.
CREATE FUNCTION open_session(
    p_hash bytea, p_user uuid, p_expires_at timestamptz, p_method text DEFAULT 'password', p_provider text DEFAULT NULL,
    p_id_token bytea DEFAULT NULL, p_device text DEFAULT '', p_client text DEFAULT ''
) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
    INSERT INTO public.sign_in_sessions (hash, user_id, expires_at, method, provider, id_token, device, client)
    VALUES (p_hash, p_user, p_expires_at, p_method, p_provider, p_id_token, left(p_device, 500), left(p_client, 100))
$$;
REVOKE ALL ON FUNCTION open_session(bytea, uuid, timestamptz, text, text, bytea, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION open_session(bytea, uuid, timestamptz, text, text, bytea, text, text) TO goldloop_app;
