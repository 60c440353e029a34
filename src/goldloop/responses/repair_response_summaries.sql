-- The score summaries of the records after p_after, a batch in the order of ids, from the responses that count: of the set
-- that the type features where a record was rated with it, else of the one that its summary stands on. Writes only what
-- differs. Returns the last record of a full batch; null when there are no more.
CREATE FUNCTION repair_response_summaries(p_after uuid, p_batch integer) RETURNS uuid
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    batch uuid[];
    entity uuid;
    held record;
    summary jsonb;
BEGIN
    SELECT array_agg(b.id ORDER BY b.id) INTO batch FROM (
        SELECT e.id FROM public.entities e WHERE e.tenant_id = tenant AND e.id > p_after
        ORDER BY e.id LIMIT p_batch FOR NO KEY UPDATE) b;
    FOREACH entity IN ARRAY coalesce(batch, '{}') LOOP
        SELECT e.metadata -> 'response_summary' AS summary, public.featured_set(t.config) AS featured INTO held
        FROM public.entities e JOIN public.entity_types t ON t.tenant_id = e.tenant_id AND t.id = e.type_id
        WHERE e.tenant_id = tenant AND e.id = entity;
        summary := public.compute_response_summary(entity, held.featured, clock_timestamp());
        IF summary IS NULL THEN
            summary := public.compute_response_summary(entity, (held.summary ->> 'latest_criteria_set_id')::uuid, clock_timestamp());
        END IF;
        IF summary - 'updated_at' IS DISTINCT FROM held.summary - 'updated_at' THEN
            summary := CASE WHEN summary IS NULL THEN '{}'::jsonb ELSE jsonb_build_object('response_summary', summary) END;
            UPDATE public.entities e SET metadata = (e.metadata - 'response_summary') || summary
            WHERE e.tenant_id = tenant AND e.id = entity;
        END IF;
    END LOOP;
    RETURN CASE WHEN cardinality(batch) = p_batch THEN batch[p_batch] END;
END;
$$;
REVOKE ALL ON FUNCTION repair_response_summaries(uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION repair_response_summaries(uuid, integer) TO goldloop_app, goldloop_worker;
