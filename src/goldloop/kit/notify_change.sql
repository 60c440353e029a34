-- Tells whoever is looking at the transaction's tenant what changed: a topic, and the subjects of `event_subjects`, or the
-- topic alone (p_subject null), which means everything under it. A transaction that touches more than 20 subjects says so
-- once by the topic alone, so a bulk write sends no more than a few small ones. Where nobody looks, nothing is sent at all.
CREATE FUNCTION notify_change(p_topic text, p_subject text DEFAULT NULL, p_payload jsonb DEFAULT '{}') RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    sent jsonb;  -- by this transaction: {topic: subjects, or null for everything}
    known jsonb;
    subjects text[];
    fresh jsonb;
BEGIN
    PERFORM FROM public.live_watchers w WHERE w.tenant_id = tenant AND w.until > now();
    IF NOT FOUND THEN
        RETURN;
    END IF;
    sent := coalesce(nullif(current_setting('app.notified', true), ''), '{}')::jsonb;
    known := coalesce(sent -> p_topic, '[]');
    subjects := public.event_subjects(tenant, p_subject, p_payload);
    SELECT jsonb_agg(s) INTO fresh FROM unnest(subjects) s WHERE NOT known ? s;
    IF known = 'null' OR (subjects IS NOT NULL AND fresh IS NULL) THEN
        RETURN;
    END IF;
    IF jsonb_array_length(known) + jsonb_array_length(fresh) > 20 OR octet_length(fresh::text) > 4000 THEN
        fresh := NULL;  -- many, or more than a notification holds
    END IF;
    known := CASE WHEN fresh IS NULL THEN 'null' ELSE known || fresh END;
    PERFORM set_config('app.notified', (sent || jsonb_build_object(p_topic, known))::text, true);
    PERFORM pg_notify('goldloop_live', tenant || ' ' || p_topic || ' ' || coalesce(fresh, 'null'));
END;
$$;
REVOKE ALL ON FUNCTION notify_change(text, text, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION notify_change(text, text, jsonb) TO goldloop_app, goldloop_worker;
