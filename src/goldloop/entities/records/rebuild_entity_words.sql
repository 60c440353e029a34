-- The words that a record is found by become p_words, whichever they were. The caller holds the record.
CREATE FUNCTION rebuild_entity_words(p_entity uuid, p_words text[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    DELETE FROM public.entity_words WHERE tenant_id = tenant AND entity_id = p_entity AND word <> ALL (p_words);
    INSERT INTO public.entity_words (tenant_id, word, entity_id) SELECT tenant, w, p_entity FROM unnest(p_words) w
    ON CONFLICT DO NOTHING;
END;
$$;
REVOKE ALL ON FUNCTION rebuild_entity_words(uuid, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION rebuild_entity_words(uuid, text[]) TO goldloop_app, goldloop_worker;
