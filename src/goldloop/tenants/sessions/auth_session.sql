-- The person behind a sign-in session and the workspace they ask for: one secret, one row.
-- An unknown or foreign slug leaves the tenant columns null; no slug means the oldest membership.
CREATE FUNCTION auth_session(p_hash bytea, p_slug text)
RETURNS TABLE (
    user_id uuid, email text, user_name text, expires_at timestamptz,
    tenant_id uuid, tenant_slug text, role text, workspaces jsonb
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    SELECT u.id, u.email, u.name, s.expires_at, chosen.id, chosen.slug, chosen.role,
           coalesce((SELECT jsonb_agg(jsonb_build_object('slug', t.slug, 'name', t.name, 'role', m.role)
                                      ORDER BY m.created_at, t.slug)
                     FROM public.memberships m JOIN public.tenants t ON t.id = m.tenant_id
                     WHERE m.user_id = u.id AND m.joined_at IS NOT NULL), '[]')
    FROM public.sign_in_sessions s
    JOIN public.users u ON u.id = s.user_id
    LEFT JOIN LATERAL (
        SELECT t.id, t.slug, m.role
        FROM public.memberships m JOIN public.tenants t ON t.id = m.tenant_id
        WHERE m.user_id = u.id AND m.joined_at IS NOT NULL AND (p_slug IS NULL OR t.slug = p_slug)
        ORDER BY m.created_at, t.slug LIMIT 1
    ) chosen ON true
    WHERE s.hash = p_hash AND s.expires_at > now()
$$;
REVOKE ALL ON FUNCTION auth_session(bytea, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION auth_session(bytea, text) TO goldloop_app;
