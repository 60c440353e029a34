-- A sign-in session was used, from a network address.
CREATE FUNCTION touch_session(p_hash bytea, p_client text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
    UPDATE public.sign_in_sessions SET last_seen_at = now(), client = left(p_client, 100) WHERE hash = p_hash
$$;
REVOKE ALL ON FUNCTION touch_session(bytea, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION touch_session(bytea, text) TO goldloop_app;
