-- A stored body has nothing of these traces any more.
CREATE FUNCTION unlink_otel_body(p_batch bytea, p_traces bytea[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    DELETE FROM public.otel_trace_batches t WHERE t.tenant_id = tenant AND t.batch_id = p_batch AND t.trace_id = ANY (p_traces);
END;
$$;
REVOKE ALL ON FUNCTION unlink_otel_body(bytea, bytea[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION unlink_otel_body(bytea, bytea[]) TO goldloop_eraser;
