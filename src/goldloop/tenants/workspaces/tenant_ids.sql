-- Every workspace's id, a page at a time, for periodic work that visits each in turn.
CREATE FUNCTION tenant_ids(p_after uuid, p_limit integer) RETURNS TABLE (id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    SELECT t.id FROM public.tenants t WHERE p_after IS NULL OR t.id > p_after ORDER BY t.id LIMIT p_limit
$$;
REVOKE ALL ON FUNCTION tenant_ids(uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tenant_ids(uuid, integer) TO goldloop_worker;
