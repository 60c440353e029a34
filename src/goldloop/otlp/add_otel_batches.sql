-- Bodies of requests with their traces, and a mark for each trace of which something is new. What is there already stays.
CREATE FUNCTION add_otel_batches(
    p_ids bytea[], p_signals smallint[], p_encodings smallint[], p_spans integer[], p_bodies bytea[],
    p_trace_ids bytea[], p_batch_ids bytea[], p_mark text, p_delay interval
) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    received timestamptz := clock_timestamp();
    fresh text[];
BEGIN
    INSERT INTO public.otel_batches (tenant_id, id, received_at, signal, encoding, spans, body)
    SELECT tenant, b.id, received, b.signal, b.encoding, b.spans, b.body
    FROM unnest(p_ids, p_signals, p_encodings, p_spans, p_bodies) AS b (id, signal, encoding, spans, body)
    ON CONFLICT DO NOTHING;
    WITH added AS (
        INSERT INTO public.otel_trace_batches (tenant_id, trace_id, batch_id)
        SELECT tenant, t.trace_id, t.batch_id FROM unnest(p_trace_ids, p_batch_ids) AS t (trace_id, batch_id)
        ON CONFLICT DO NOTHING
        RETURNING trace_id
    )
    SELECT array_agg(DISTINCT encode(a.trace_id, 'hex')) INTO fresh FROM added a;
    IF fresh IS NOT NULL THEN
        PERFORM public.set_marks(p_mark, fresh, p_delay);
    END IF;
END;
$$;
REVOKE ALL ON FUNCTION add_otel_batches(bytea[], smallint[], smallint[], integer[], bytea[], bytea[], bytea[], text, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION add_otel_batches(bytea[], smallint[], smallint[], integer[], bytea[], bytea[], bytea[], text, interval)
    TO goldloop_app, goldloop_worker;
