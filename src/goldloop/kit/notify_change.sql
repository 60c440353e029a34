-- Tells whoever is looking at the transaction's tenant that something under a topic changed. PostgreSQL
-- sends equal notifications of one transaction once; where nobody looks, nothing is sent at all.
CREATE FUNCTION notify_change(p_topic text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    tenant text := nullif(current_setting('app.tenant', true), '');
BEGIN
    IF EXISTS (SELECT FROM public.live_watchers w WHERE w.tenant_id = tenant::uuid AND w.until > now()) THEN
        PERFORM pg_notify('goldloop_live', tenant || ' ' || p_topic);
    END IF;
END;
$$;
REVOKE ALL ON FUNCTION notify_change(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION notify_change(text) TO goldloop_app, goldloop_worker;
