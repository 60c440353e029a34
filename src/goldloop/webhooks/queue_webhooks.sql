-- Leaves a mark for an event that a receiver of the transaction's tenant wants. One row whatever the number of receivers, and
-- no notification, which would make commits wait for each other: workers look every second.
CREATE FUNCTION queue_webhooks(p_event uuid, p_name text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    PERFORM FROM public.webhook_endpoints w
    WHERE w.tenant_id = tenant AND w.enabled AND w.events && ARRAY['*', p_name];
    IF FOUND THEN
        PERFORM public.set_marks('webhooks.spread', ARRAY[p_event::text], interval '100 milliseconds');
    END IF;
END;
$$;
REVOKE ALL ON FUNCTION queue_webhooks(uuid, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION queue_webhooks(uuid, text) TO goldloop_app, goldloop_worker;
