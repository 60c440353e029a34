-- The words that a record is found by change with its title and content. The caller holds the record, and has computed
-- the change from what it read under that lock, or has compared versions.
CREATE FUNCTION change_entity_words(p_entity uuid, p_gone text[], p_new text[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    IF cardinality(p_gone) > 0 THEN
        DELETE FROM public.entity_words WHERE tenant_id = tenant AND entity_id = p_entity AND word = ANY (p_gone);
    END IF;
    IF cardinality(p_new) > 0 THEN
        INSERT INTO public.entity_words (tenant_id, word, entity_id) SELECT tenant, w, p_entity FROM unnest(p_new) w
        ON CONFLICT DO NOTHING;
    END IF;
END;
$$;
REVOKE ALL ON FUNCTION change_entity_words(uuid, text[], text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION change_entity_words(uuid, text[], text[]) TO goldloop_app, goldloop_worker;
