-- One fact into the event log of the transaction's tenant, by its actor and from where that asked, and word of it to whoever
-- looks and to receivers of webhooks. Returns the event as it was written, for an SQL function to return and its caller to
-- dispatch.
CREATE FUNCTION emit_event(p_id uuid, p_name text, p_topic text, p_subject text, p_payload jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    actor text := current_setting('app.actor', true);
    origin text := coalesce(current_setting('app.origin', true), '');
BEGIN
    INSERT INTO public.events (tenant_id, id, name, topic, subject_id, payload, actor_kind, actor_id, created_at,
                               key_id, address, request_id)
    VALUES (tenant, p_id, p_name, p_topic, p_subject, p_payload,
            split_part(actor, ':', 1), nullif(split_part(actor, ':', 2), '')::uuid, public.moment(),
            nullif(split_part(origin, '|', 1), '')::uuid, nullif(split_part(origin, '|', 2), ''),
            nullif(split_part(origin, '|', 3), ''));
    PERFORM public.notify_change(p_topic, p_subject, p_payload);
    PERFORM public.queue_webhooks(p_id, p_name);
    RETURN jsonb_build_object('id', p_id, 'name', p_name, 'topic', p_topic, 'subject_id', p_subject, 'payload', p_payload);
END;
$$;
REVOKE ALL ON FUNCTION emit_event(uuid, text, text, text, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION emit_event(uuid, text, text, text, jsonb) TO goldloop_app, goldloop_worker;
