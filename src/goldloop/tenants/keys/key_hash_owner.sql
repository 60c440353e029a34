-- Whose key a hash is: one secret, one row.
CREATE FUNCTION key_hash_owner(p_hash bytea) RETURNS TABLE (tenant_id uuid, key_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    SELECT h.tenant_id, h.key_id FROM public.api_key_hashes h WHERE h.hash = p_hash
$$;
REVOKE ALL ON FUNCTION key_hash_owner(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION key_hash_owner(bytea) TO goldloop_app;
