-- A new workspace; false when the slug is taken. For the operator's commands and the first start.
CREATE FUNCTION create_tenant(p_id uuid, p_slug text, p_name text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
    INSERT INTO public.tenants (id, slug, name) VALUES (p_id, p_slug, p_name) ON CONFLICT DO NOTHING;
    RETURN FOUND;
END;
$$;
REVOKE ALL ON FUNCTION create_tenant(uuid, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION create_tenant(uuid, text, text) TO goldloop_worker;
