-- Of the workspaces that a provider's claims decide about: who an account is in each, and who has its address there.
CREATE FUNCTION provider_memberships(p_slugs text[], p_account uuid, p_email text)
RETURNS TABLE (
    slug text, tenant_id uuid, user_id uuid, role text, provider text,
    namesake_id uuid, namesake_account uuid, namesake_role text
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    SELECT t.slug, t.id, own.user_id, own.role, own.provider, other.user_id, other.account_id, other.role
    FROM public.tenants t
    LEFT JOIN public.memberships own ON own.tenant_id = t.id AND own.account_id = p_account
    LEFT JOIN public.memberships other ON other.tenant_id = t.id AND other.email = p_email
          AND other.account_id IS DISTINCT FROM p_account
    WHERE t.slug = ANY (p_slugs) ORDER BY t.slug
$$;
REVOKE ALL ON FUNCTION provider_memberships(text[], uuid, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION provider_memberships(text[], uuid, text) TO goldloop_app;
