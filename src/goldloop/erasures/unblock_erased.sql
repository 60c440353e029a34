-- What was not taken in while it was erased may come again.
CREATE FUNCTION unblock_erased(p_erasures uuid[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    DELETE FROM public.erasure_blocks b WHERE b.tenant_id = tenant AND b.erasure_id = ANY (p_erasures);
END;
$$;
REVOKE ALL ON FUNCTION unblock_erased(uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION unblock_erased(uuid[]) TO goldloop_eraser;
