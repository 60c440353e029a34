-- Bodies of requests, one row each, and one mark for all of them: which traces they hold is written out later, for that costs
-- more than the rest and nobody waits for it. What is there already stays.
CREATE FUNCTION add_otel_batches(
    p_ids bytea[], p_signals smallint[], p_encodings smallint[], p_spans integer[], p_trace_ids bytea[], p_bodies bytea[],
    p_mark text, p_delay interval
) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    received timestamptz := clock_timestamp();
BEGIN
    INSERT INTO public.otel_batches (tenant_id, id, received_at, signal, encoding, spans, trace_ids, body)
    SELECT tenant, b.id, received, b.signal, b.encoding, b.spans, b.trace_ids, b.body
    FROM unnest(p_ids, p_signals, p_encodings, p_spans, p_trace_ids, p_bodies)
        AS b (id, signal, encoding, spans, trace_ids, body)
    ON CONFLICT DO NOTHING;
    IF FOUND THEN
        PERFORM public.set_marks(p_mark, ARRAY['new'], p_delay);
    END IF;
END;
$$;
REVOKE ALL ON FUNCTION add_otel_batches(bytea[], smallint[], smallint[], integer[], bytea[], bytea[], text, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION add_otel_batches(bytea[], smallint[], smallint[], integer[], bytea[], bytea[], text, interval)
    TO goldloop_app, goldloop_worker;
