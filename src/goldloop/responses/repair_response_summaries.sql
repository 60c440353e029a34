-- The score summaries of the records after p_after, a batch in the order of ids, from the responses that count: of the set
-- that the type features where a record was rated with it, else of the one that its summary stands on. Writes only what
-- differs. Returns the last record of a full batch; null when there are no more.
CREATE FUNCTION repair_response_summaries(p_after uuid, p_batch integer) RETURNS uuid
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    batch uuid[];
    held record;
    summary jsonb;
BEGIN
    SELECT array_agg(b.id ORDER BY b.id) INTO batch FROM (
        SELECT e.id FROM public.entities e WHERE e.tenant_id = tenant AND e.id > p_after
        ORDER BY e.id LIMIT p_batch FOR NO KEY UPDATE) b;
    FOR held IN
        SELECT e.id, e.metadata -> 'response_summary' AS summary, public.featured_set(t.config) AS featured
        FROM public.entities e JOIN public.entity_types t ON t.tenant_id = e.tenant_id AND t.id = e.type_id
        WHERE e.tenant_id = tenant AND e.id = ANY (batch)
    LOOP
        summary := coalesce(
            public.compute_response_summary(held.id, held.featured, clock_timestamp()),
            public.compute_response_summary(held.id, (held.summary ->> 'latest_criteria_set_id')::uuid, clock_timestamp()));
        IF summary - 'updated_at' IS DISTINCT FROM held.summary - 'updated_at' THEN
            UPDATE public.entities e SET metadata = CASE WHEN summary IS NULL THEN e.metadata - 'response_summary'
                ELSE e.metadata || jsonb_build_object('response_summary', summary) END
            WHERE e.tenant_id = tenant AND e.id = held.id;
        END IF;
    END LOOP;
    RETURN CASE WHEN cardinality(batch) = p_batch THEN batch[p_batch] END;
END;
$$;
REVOKE ALL ON FUNCTION repair_response_summaries(uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION repair_response_summaries(uuid, integer) TO goldloop_app, goldloop_worker;
