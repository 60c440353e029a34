-- A workspace's id by its slug, for the operator's commands.
CREATE FUNCTION find_tenant(p_slug text) RETURNS uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    SELECT id FROM public.tenants WHERE slug = p_slug
$$;
REVOKE ALL ON FUNCTION find_tenant(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_tenant(text) TO goldloop_worker;
