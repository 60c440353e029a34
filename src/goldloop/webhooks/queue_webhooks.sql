-- Leaves a mark for an event that a receiver of the transaction's tenant wants. One row whatever the number of receivers, without
-- a look for one that could be shared, since an event happens once, and without a notification, which would make commits wait
-- for each other: workers look every second.
CREATE FUNCTION queue_webhooks(p_event uuid, p_name text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    PERFORM FROM public.webhook_endpoints w
    WHERE w.tenant_id = tenant AND w.enabled AND w.events && ARRAY['*', p_name];
    IF FOUND THEN
        INSERT INTO public.marks (tenant_id, kind, key) VALUES (tenant, 'webhooks.spread', p_event);
    END IF;
END;
$$;
REVOKE ALL ON FUNCTION queue_webhooks(uuid, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION queue_webhooks(uuid, text) TO goldloop_app, goldloop_worker;
