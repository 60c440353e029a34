-- The account behind a sign-in session, and who its person is in the workspace they ask for: one secret, one row.
-- An unknown or foreign slug leaves the tenant's columns null, as does a workspace that has signed its member out since;
-- no slug means the oldest membership.
CREATE FUNCTION auth_session(p_hash bytea, p_slug text)
RETURNS TABLE (
    account_id uuid, email text, account_name text, expires_at timestamptz, workspaces jsonb,
    tenant_id uuid, tenant_slug text, user_id uuid, user_name text, role text, last_seen_at timestamptz
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
    SELECT u.id, u.email, u.name, s.expires_at,
           coalesce((SELECT jsonb_agg(jsonb_build_object('slug', t.slug, 'name', t.name, 'role', m.role,
                                                         'user_id', m.user_id)
                                      ORDER BY m.created_at, t.slug)
                     FROM public.memberships m JOIN public.tenants t ON t.id = m.tenant_id
                     WHERE m.account_id = u.id AND s.created_at > coalesce(m.signed_in_after, '-infinity')), '[]'),
           chosen.id, chosen.slug, chosen.user_id, chosen.role, s.last_seen_at
    INTO account_id, email, account_name, expires_at, workspaces, tenant_id, tenant_slug, user_id, role, last_seen_at
    FROM public.sign_in_sessions s
    JOIN public.users u ON u.id = s.user_id
    LEFT JOIN LATERAL (
        SELECT t.id, t.slug, m.user_id, m.role
        FROM public.memberships m JOIN public.tenants t ON t.id = m.tenant_id
        WHERE m.account_id = u.id AND (p_slug IS NULL OR t.slug = p_slug)
          AND s.created_at > coalesce(m.signed_in_after, '-infinity')
        ORDER BY m.created_at, t.slug LIMIT 1
    ) chosen ON true
    WHERE s.hash = p_hash AND s.expires_at > now();
    IF account_id IS NULL THEN
        RETURN;
    END IF;
    EXECUTE format('SET LOCAL app.tenant = %L', coalesce(tenant_id::text, ''));
    user_name := (SELECT p.name FROM public.parties p
                  WHERE p.tenant_id = auth_session.tenant_id AND p.kind = 'user' AND p.id = auth_session.user_id);
    RETURN NEXT;
END;
$$;
REVOKE ALL ON FUNCTION auth_session(bytea, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION auth_session(bytea, text) TO goldloop_app;
