-- What an undo of p_promotion brings back: the source before it, and the value that the field had by it. A promotion of a
-- response that was rejected or withdrawn since stands no more, and the one before that is meant. Null where there was
-- none (any more). The caller holds the record.
CREATE FUNCTION source_before(p_entity uuid, p_field text, p_promotion uuid, OUT history_id uuid, OUT value jsonb)
LANGUAGE plpgsql STABLE AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    history_id := p_promotion;
    LOOP
        SELECT h.prior_source_id, h.value_before INTO history_id, value FROM public.entity_field_history h
        WHERE h.tenant_id = tenant AND h.entity_id = p_entity AND h.field = p_field AND h.id = history_id;
        EXIT WHEN history_id IS NULL OR NOT EXISTS (
            SELECT FROM public.entity_field_history h
            JOIN public.entity_responses r ON r.tenant_id = h.tenant_id AND r.id = h.response_id
            WHERE h.tenant_id = tenant AND h.id = history_id AND (r.status = 'rejected' OR r.withdrawn_at IS NOT NULL));
    END LOOP;
END;
$$;
REVOKE ALL ON FUNCTION source_before(uuid, text, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION source_before(uuid, text, uuid) TO goldloop_app, goldloop_worker;
