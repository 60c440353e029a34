-- The history of a row of knowledge without the words that it had, and the row without the vector of them.
CREATE FUNCTION erase_knowledge_words(p_row uuid, p_instead text) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    erased jsonb := jsonb_build_object('content', p_instead, 'context', NULL);
    changed bigint;
BEGIN
    UPDATE public.shared_context_history h SET before = h.before || erased, after = h.after || erased
    WHERE h.tenant_id = tenant AND h.row_id = p_row;
    GET DIAGNOSTICS changed = ROW_COUNT;
    UPDATE public.shared_context c SET embedding = NULL, embedding_model = NULL WHERE c.tenant_id = tenant AND c.id = p_row;
    RETURN changed;
END;
$$;
REVOKE ALL ON FUNCTION erase_knowledge_words(uuid, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_knowledge_words(uuid, text) TO goldloop_eraser;
