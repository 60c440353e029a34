-- Writes out which traces new bodies hold, and marks each of these traces; returns how many bodies they were, p_limit at most.
CREATE FUNCTION spread_otel_batches(p_mark text, p_limit integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    batches bytea[];
    traces text[];
BEGIN
    SELECT array_agg(n.id) INTO batches
    FROM (SELECT b.id FROM public.otel_batches b WHERE b.tenant_id = tenant AND NOT b.is_spread
          ORDER BY b.received_at LIMIT p_limit FOR UPDATE) n;
    IF batches IS NULL THEN
        RETURN 0;
    END IF;
    WITH added AS (
        INSERT INTO public.otel_trace_batches (tenant_id, trace_id, batch_id)
        SELECT tenant, substring(b.trace_ids FROM 16 * place + 1 FOR 16), b.id
        FROM public.otel_batches b, generate_series(0, length(b.trace_ids) / 16 - 1) AS place
        WHERE b.tenant_id = tenant AND b.id = ANY (batches)
        ON CONFLICT DO NOTHING
        RETURNING trace_id
    )
    SELECT array_agg(DISTINCT encode(a.trace_id, 'hex')) INTO traces FROM added a;
    UPDATE public.otel_batches b SET is_spread = true WHERE b.tenant_id = tenant AND b.id = ANY (batches);
    IF traces IS NOT NULL THEN
        PERFORM public.set_marks(p_mark, traces);
    END IF;
    RETURN cardinality(batches);
END;
$$;
REVOKE ALL ON FUNCTION spread_otel_batches(text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION spread_otel_batches(text, integer) TO goldloop_app, goldloop_worker;
