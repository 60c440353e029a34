-- The sign-in sessions of the account behind one of them, the one used last first. One secret, one account.
CREATE FUNCTION own_sessions(p_session bytea)
RETURNS TABLE (
    id uuid, method text, provider text, device text, client text, created_at timestamptz, last_seen_at timestamptz,
    expires_at timestamptz, is_current boolean
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    SELECT s.id, s.method, s.provider, s.device, s.client, s.created_at, s.last_seen_at, s.expires_at, s.hash = p_session
    FROM public.sign_in_sessions own
    JOIN public.sign_in_sessions s ON s.user_id = own.user_id AND s.expires_at > now()
    WHERE own.hash = p_session AND own.expires_at > now()
    ORDER BY s.hash = p_session DESC, s.last_seen_at DESC, s.id LIMIT 200
$$;
REVOKE ALL ON FUNCTION own_sessions(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION own_sessions(bytea) TO goldloop_app;
