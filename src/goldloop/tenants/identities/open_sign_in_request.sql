-- Keeps, sealed, what a browser was sent to a provider with, under the hash of its state.
CREATE FUNCTION open_sign_in_request(p_hash bytea, p_content bytea, p_expires_at timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
    INSERT INTO public.sign_in_requests (hash, content, expires_at) VALUES (p_hash, p_content, p_expires_at)
$$;
REVOKE ALL ON FUNCTION open_sign_in_request(bytea, bytea, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION open_sign_in_request(bytea, bytea, timestamptz) TO goldloop_app;
