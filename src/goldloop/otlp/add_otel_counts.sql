-- Adds what a trace tells anew to the counts of its sources. Rows are taken in the order of their key, so that two traces
-- never wait for each other.
CREATE FUNCTION add_otel_counts(p_counts jsonb, p_first timestamptz, p_last timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    INSERT INTO public.otel_sources AS s (tenant_id, service, scope, sdk, spans, requests, with_content, with_session,
        with_user, first_at, last_at)
    SELECT tenant, c.service, c.scope, c.sdk, c.spans, c.requests, c.with_content, c.with_session, c.with_user, p_first, p_last
    FROM jsonb_to_recordset(p_counts) AS c (service text, scope text, sdk text, spans bigint, requests bigint,
        with_content bigint, with_session bigint, with_user bigint)
    ORDER BY c.service, c.scope, c.sdk
    ON CONFLICT (tenant_id, service, scope, sdk) DO UPDATE
    SET spans = s.spans + excluded.spans, requests = s.requests + excluded.requests,
        with_content = s.with_content + excluded.with_content, with_session = s.with_session + excluded.with_session,
        with_user = s.with_user + excluded.with_user, first_at = least(s.first_at, excluded.first_at),
        last_at = greatest(s.last_at, excluded.last_at);
END;
$$;
REVOKE ALL ON FUNCTION add_otel_counts(jsonb, timestamptz, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION add_otel_counts(jsonb, timestamptz, timestamptz) TO goldloop_app, goldloop_worker;
