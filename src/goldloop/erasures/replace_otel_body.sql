-- A stored body without the spans that were erased; null: nothing is left of it.
CREATE FUNCTION replace_otel_body(p_batch bytea, p_encoding smallint, p_spans integer, p_trace_ids bytea, p_body bytea) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    IF p_body IS NULL THEN
        DELETE FROM public.otel_batches b WHERE b.tenant_id = tenant AND b.id = p_batch;
    ELSE
        UPDATE public.otel_batches b SET encoding = p_encoding, spans = p_spans, trace_ids = p_trace_ids, body = p_body
        WHERE b.tenant_id = tenant AND b.id = p_batch;
    END IF;
END;
$$;
REVOKE ALL ON FUNCTION replace_otel_body(bytea, smallint, integer, bytea, bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION replace_otel_body(bytea, smallint, integer, bytea, bytea) TO goldloop_eraser;
