-- The actor behind an API key, by the key's hash: one row, or none. Sets the tenant for what it reads.
CREATE FUNCTION auth_key(p_hash bytea)
RETURNS TABLE (
    tenant_id uuid, tenant_slug text, key_id uuid, key_role text, scopes text[],
    user_id uuid, user_name text, user_role text, agent_id uuid, agent_name text, agent_active boolean,
    expires_at timestamptz, revoked_at timestamptz, last_used_at timestamptz
)
LANGUAGE plpgsql AS $$
DECLARE
    owner record;
BEGIN
    SELECT h.tenant_id, h.key_id INTO owner FROM public.key_hash_owner(p_hash) h;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    EXECUTE format('SET LOCAL app.tenant = %L', owner.tenant_id);
    SELECT k.tenant_id, t.slug, k.id, k.role, k.scopes,
           k.user_id, m.role, k.agent_id, a.name, a.active,
           k.expires_at, k.revoked_at, k.last_used_at
    INTO tenant_id, tenant_slug, key_id, key_role, scopes, user_id, user_role, agent_id, agent_name, agent_active,
         expires_at, revoked_at, last_used_at
    FROM public.api_keys k
    JOIN public.tenants t ON t.id = k.tenant_id
    LEFT JOIN public.memberships m ON m.tenant_id = k.tenant_id AND m.user_id = k.user_id
    LEFT JOIN public.agents a ON a.tenant_id = k.tenant_id AND a.id = k.agent_id
    WHERE k.tenant_id = owner.tenant_id AND k.id = owner.key_id;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    IF user_role IS NOT NULL THEN
        user_name := (SELECT p.name FROM public.parties p
                      WHERE p.tenant_id = auth_key.tenant_id AND p.kind = 'user' AND p.id = auth_key.user_id);
    END IF;
    RETURN NEXT;
END;
$$;
REVOKE ALL ON FUNCTION auth_key(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION auth_key(bytea) TO goldloop_app;
