-- Who the person behind a sign-in session is in each workspace that it opens, for the events of those: one secret, one person.
CREATE FUNCTION session_memberships(p_hash bytea) RETURNS TABLE (tenant_id uuid, user_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    SELECT m.tenant_id, m.user_id
    FROM public.sign_in_sessions s JOIN public.memberships m ON m.account_id = s.user_id
    WHERE s.hash = p_hash AND s.expires_at > now() AND s.created_at > coalesce(m.signed_in_after, '-infinity')
    ORDER BY m.created_at, m.tenant_id
$$;
REVOKE ALL ON FUNCTION session_memberships(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION session_memberships(bytea) TO goldloop_app;
