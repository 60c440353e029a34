-- Up to p_limit rows of a table of the transaction's tenant, whatever they are; returns how many went. For a whole workspace.
CREATE FUNCTION erase_rows(p_table text, p_limit integer) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    gone bigint;
BEGIN
    IF p_table = 'entity_responses' THEN  -- which refer to each other
        UPDATE public.entity_responses r SET parent_response_id = NULL WHERE r.tenant_id = tenant AND r.parent_response_id IS NOT NULL;
    END IF;
    EXECUTE format('DELETE FROM public.%1$I t WHERE t.tenant_id = $1 AND t.ctid = ANY (ARRAY(SELECT o.ctid FROM public.%1$I o WHERE o.tenant_id = $1 LIMIT $2))', p_table)
    USING tenant, p_limit;
    GET DIAGNOSTICS gone = ROW_COUNT;
    RETURN gone;
END;
$$;
REVOKE ALL ON FUNCTION erase_rows(text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_rows(text, integer) TO goldloop_eraser;
