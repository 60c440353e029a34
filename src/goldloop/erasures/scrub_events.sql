-- The log keeps that something happened, when and by whom, and nothing else of what an erasure is about. p_limit events after
-- p_after; `last` is where to go on, null at the end.
CREATE FUNCTION scrub_events(p_erasure uuid, p_after uuid, p_limit integer, OUT last uuid, OUT gone bigint)
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    ids text[];
    users text[];
    batch uuid[];
BEGIN
    SELECT array_agg(i.place[1]) FILTER (WHERE i.kind IN ('session', 'feedback', 'response', 'record', 'golden')),
           array_agg(i.place[1]) FILTER (WHERE i.kind = 'end_user')
    INTO ids, users
    FROM public.erasure_items i WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure;
    SELECT array_agg(n.id ORDER BY n.id) INTO batch FROM (
        SELECT e.id FROM public.events e WHERE e.tenant_id = tenant AND e.id > p_after ORDER BY e.id LIMIT p_limit) n;
    gone := 0;
    IF batch IS NULL THEN
        RETURN;
    END IF;
    last := CASE WHEN cardinality(batch) = p_limit THEN batch[p_limit] END;
    UPDATE public.events e SET payload = '{"erased": true}',
        subject_id = CASE WHEN e.subject_id ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' THEN e.subject_id ELSE 'erased' END
    WHERE e.tenant_id = tenant AND e.id = ANY (batch) AND e.payload <> '{"erased": true}' AND e.topic <> 'erasures' AND (
        e.subject_id = ANY (ids) OR EXISTS (SELECT FROM jsonb_each_text(e.payload) AS v (key, value) WHERE v.value = ANY (ids))
        OR e.payload ->> 'user_id' = ANY (users) AND coalesce(e.payload ->> 'user_type', '') <> 'member'
        OR EXISTS (
            SELECT FROM public.erasure_items i WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure
              AND i.kind IN ('conversation', 'turn') AND i.place[1] = e.payload ->> 'project'
              AND i.place[2] = e.payload ->> 'conversation_id'
              AND (i.kind = 'conversation' OR i.place[3] = e.payload ->> 'turn_id' OR e.payload -> 'turn_ids' ? i.place[3])));
    GET DIAGNOSTICS gone = ROW_COUNT;
    -- What was sent of them to receivers is made of the event anew whenever somebody looks; what these answered is not.
    UPDATE public.webhook_attempts a SET answer = NULL, answer_type = NULL
    FROM public.webhook_deliveries d JOIN public.events e ON e.tenant_id = d.tenant_id AND e.id = d.event_id
    WHERE a.tenant_id = tenant AND d.tenant_id = tenant AND a.delivery_id = d.id AND a.answer IS NOT NULL
      AND d.event_id = ANY (batch) AND e.payload = '{"erased": true}';
    UPDATE public.webhook_deliveries d SET subject_id = e.subject_id FROM public.events e
    WHERE d.tenant_id = tenant AND e.tenant_id = tenant AND e.id = d.event_id AND d.event_id = ANY (batch)
      AND e.payload = '{"erased": true}' AND d.subject_id <> e.subject_id;
END;
$$;
REVOKE ALL ON FUNCTION scrub_events(uuid, uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION scrub_events(uuid, uuid, integer) TO goldloop_eraser;
