-- Up to p_limit events of the log from before a moment; what tells of erasures stays, and what a receiver of webhooks waits
-- for. Returns how many went.
CREATE FUNCTION erase_old_events(p_before timestamptz, p_limit integer) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    gone bigint;
BEGIN
    DELETE FROM public.events e WHERE e.tenant_id = tenant AND e.id = ANY (ARRAY(
        SELECT o.id FROM public.events o WHERE o.tenant_id = tenant AND o.created_at < p_before AND o.topic <> 'erasures'
          AND NOT EXISTS (SELECT FROM public.webhook_deliveries d WHERE d.tenant_id = tenant AND d.event_id = o.id AND d.status = 'waiting')
        ORDER BY o.created_at LIMIT p_limit));
    GET DIAGNOSTICS gone = ROW_COUNT;
    RETURN gone;
END;
$$;
REVOKE ALL ON FUNCTION erase_old_events(timestamptz, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_old_events(timestamptz, integer) TO goldloop_eraser;
