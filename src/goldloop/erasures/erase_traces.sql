-- Traces themselves, once no stored body has a span of theirs.
CREATE FUNCTION erase_traces(p_traces bytea[]) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    traces bigint; links bigint;
BEGIN
    DELETE FROM public.otel_trace_batches b WHERE b.tenant_id = tenant AND b.trace_id = ANY (p_traces);
    GET DIAGNOSTICS links = ROW_COUNT;
    DELETE FROM public.otel_traces t WHERE t.tenant_id = tenant AND t.trace_id = ANY (p_traces);
    GET DIAGNOSTICS traces = ROW_COUNT;
    RETURN jsonb_build_object('otel_traces', traces, 'otel_trace_batches', links);
END;
$$;
REVOKE ALL ON FUNCTION erase_traces(bytea[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_traces(bytea[]) TO goldloop_eraser;
