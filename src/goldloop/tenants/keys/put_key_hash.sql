-- Stores the hash of a key that the transaction's tenant has just made.
CREATE FUNCTION put_key_hash(p_hash bytea, p_key uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
    INSERT INTO public.api_key_hashes (hash, tenant_id, key_id)
    VALUES (p_hash, nullif(current_setting('app.tenant', true), '')::uuid, p_key)
$$;
REVOKE ALL ON FUNCTION put_key_hash(bytea, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION put_key_hash(bytea, uuid) TO goldloop_app, goldloop_worker;
