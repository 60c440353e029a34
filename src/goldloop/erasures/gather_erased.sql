-- One step further from what an erasure has found to what hangs on it; returns how much is new. Called until that is nothing.
-- What retention lets go (p_narrow) takes no other sessions and no responses with it: those have their own time.
CREATE FUNCTION gather_erased(p_erasure uuid, p_narrow boolean) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    before bigint;
    after bigint;
BEGIN
    SELECT count(*) INTO before FROM public.erasure_items i WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure;
    -- An end user.
    INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
    SELECT tenant, p_erasure, 'conversation', ARRAY[c.project, c.id]
    FROM public.erasure_items i JOIN public.conversations c ON c.tenant_id = i.tenant_id AND c.user_id = i.place[1]
    WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind = 'end_user' ON CONFLICT DO NOTHING;
    INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
    SELECT tenant, p_erasure, 'turn', ARRAY[t.project, t.conversation_id, t.turn_id]
    FROM public.erasure_items i JOIN public.conv_turns t ON t.tenant_id = i.tenant_id AND t.user_id = i.place[1]
    WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind = 'end_user' AND NOT EXISTS (
        SELECT FROM public.erasure_items c WHERE c.tenant_id = tenant AND c.erasure_id = p_erasure AND c.kind = 'conversation'
          AND c.place = ARRAY[t.project, t.conversation_id]) ON CONFLICT DO NOTHING;
    INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
    SELECT tenant, p_erasure, 'reaction', ARRAY[m.id::text]
    FROM public.erasure_items i JOIN public.conv_messages m ON m.tenant_id = i.tenant_id AND m.end_user = i.place[1] AND NOT m.by_member
    WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind = 'end_user' AND NOT EXISTS (
        SELECT FROM public.erasure_items c WHERE c.tenant_id = tenant AND c.erasure_id = p_erasure AND c.kind = 'conversation'
          AND c.place = ARRAY[m.project, m.conversation_id]) ON CONFLICT DO NOTHING;
    INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
    SELECT tenant, p_erasure, 'session', ARRAY[s.id::text]
    FROM public.erasure_items i JOIN public.sessions s ON s.tenant_id = i.tenant_id AND s.metadata ? 'user_id'
        AND s.metadata ->> 'user_id' = i.place[1]
    WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind = 'end_user' ON CONFLICT DO NOTHING;
    INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
    SELECT tenant, p_erasure, 'feedback', ARRAY[f.id::text]
    FROM public.erasure_items i JOIN public.feedback f ON f.tenant_id = i.tenant_id AND f.end_user = i.place[1]
    WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind = 'end_user' ON CONFLICT DO NOTHING;
    -- A conversation, or one turn of it: what was read from it elsewhere, what was said about it, what ran for it.
    INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
    SELECT tenant, p_erasure, 'reaction', ARRAY[m.id::text]
    FROM public.erasure_items i JOIN public.conv_messages m ON m.tenant_id = i.tenant_id AND m.project = i.place[1]
        AND m.source_conversation_id = i.place[2] AND (i.kind = 'conversation' OR m.source_turn_id = i.place[3])
    WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind IN ('conversation', 'turn')
      AND (i.kind = 'turn' OR m.conversation_id <> i.place[2]) ON CONFLICT DO NOTHING;
    INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
    SELECT tenant, p_erasure, 'feedback', ARRAY[f.id::text]
    FROM public.erasure_items i JOIN public.feedback f ON f.tenant_id = i.tenant_id AND f.project = i.place[1]
        AND f.conversation_id = i.place[2] AND (i.kind = 'conversation' OR f.turn_id = i.place[3])
    WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind IN ('conversation', 'turn') ON CONFLICT DO NOTHING;
    IF NOT p_narrow THEN
        INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
        SELECT tenant, p_erasure, 'session', ARRAY[s.id::text]
        FROM public.erasure_items i JOIN public.sessions s ON s.tenant_id = i.tenant_id AND s.project = i.place[1]
            AND s.conversation_id = i.place[2]
        WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind = 'conversation' ON CONFLICT DO NOTHING;
        INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
        SELECT DISTINCT tenant, p_erasure, 'session', ARRAY[s.id::text]
        FROM public.erasure_items i JOIN public.conv_turns t ON t.tenant_id = i.tenant_id AND t.project = i.place[1]
            AND t.conversation_id = i.place[2] AND (i.kind = 'conversation' OR t.turn_id = i.place[3]) AND t.session_id IS NOT NULL
        JOIN public.sessions s ON s.tenant_id = t.tenant_id AND (s.external_id = t.session_id OR s.id::text = t.session_id)
        WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind IN ('conversation', 'turn') ON CONFLICT DO NOTHING;
        -- Archives of the workspace, which have it as it was.
        INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
        SELECT tenant, p_erasure, 'archive', ARRAY[a.id::text] FROM public.archives a WHERE a.tenant_id = tenant AND a.removed_at IS NULL
        ON CONFLICT DO NOTHING;
        -- A session: those within it, what it turned out to be part of, its replays and who judged them.
        INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
        SELECT tenant, p_erasure, 'session', ARRAY[s.id::text]
        FROM public.erasure_items i JOIN public.sessions s ON s.tenant_id = i.tenant_id AND s.parent_session_id = i.place[1]::uuid
        WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind = 'session' ON CONFLICT DO NOTHING;
        INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
        SELECT tenant, p_erasure, 'session', ARRAY[s.id::text]
        FROM public.erasure_items i JOIN public.sessions s ON s.tenant_id = i.tenant_id AND s.metadata ? 'merged_into'
            AND s.metadata ->> 'merged_into' = i.place[1]
        WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind = 'session' ON CONFLICT DO NOTHING;
        INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
        SELECT DISTINCT tenant, p_erasure, 'session', ARRAY[s.id::text]
        FROM public.erasure_items i JOIN public.eval_replays r ON r.tenant_id = i.tenant_id AND r.golden_id = i.place[1]::uuid
        JOIN public.sessions s ON s.tenant_id = r.tenant_id AND (s.id = r.id OR s.id = r.judging_session_id)
        WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind = 'session' ON CONFLICT DO NOTHING;
        INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
        SELECT DISTINCT tenant, p_erasure, 'session', ARRAY[s.id::text]
        FROM public.erasure_items i JOIN public.eval_replays r ON r.tenant_id = i.tenant_id AND r.id = i.place[1]::uuid
        JOIN public.sessions s ON s.tenant_id = r.tenant_id AND s.id = r.judging_session_id
        WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind = 'session' ON CONFLICT DO NOTHING;
        -- What a session has proposed, a record, and who tried again after a rejection.
        INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
        SELECT DISTINCT tenant, p_erasure, 'response', ARRAY[r.id::text]
        FROM public.entity_responses r, jsonb_each(r.field_meta) AS m (field, meta), public.erasure_items i
        WHERE r.tenant_id = tenant AND r.field_meta <> '{}' AND jsonb_typeof(m.meta) = 'object' AND i.tenant_id = tenant
          AND i.erasure_id = p_erasure AND i.kind = 'session' AND i.place = ARRAY[m.meta ->> 'session_id'] ON CONFLICT DO NOTHING;
        INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
        SELECT tenant, p_erasure, 'response', ARRAY[r.id::text]
        FROM public.erasure_items i JOIN public.entity_responses r ON r.tenant_id = i.tenant_id AND r.entity_id = i.place[1]::uuid
        WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind = 'record' ON CONFLICT DO NOTHING;
        INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
        SELECT tenant, p_erasure, 'session', ARRAY[s.id::text]
        FROM public.erasure_items i JOIN public.sessions s ON s.tenant_id = i.tenant_id AND s.entity_id = i.place[1]::uuid
        WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind = 'record' ON CONFLICT DO NOTHING;
        INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
        SELECT tenant, p_erasure, 'session', ARRAY[s.id::text]
        FROM public.erasure_items i JOIN public.sessions s ON s.tenant_id = i.tenant_id AND s.entity_id IS NOT NULL
            AND s.input ->> 'parent_response_id' = i.place[1]
        WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind = 'response' ON CONFLICT DO NOTHING;
    END IF;
    -- What was said about any of them, what it was derived from, and what is held to it.
    INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
    SELECT tenant, p_erasure, 'feedback', ARRAY[f.id::text]
    FROM public.erasure_items i JOIN public.feedback f ON f.tenant_id = i.tenant_id AND (
        i.kind = 'session' AND f.session_id = i.place[1]::uuid OR i.kind = 'response' AND f.response_id = i.place[1]::uuid
        OR i.kind = 'record' AND f.entity_id = i.place[1]::uuid)
    WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind IN ('session', 'response', 'record') ON CONFLICT DO NOTHING;
    INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
    SELECT tenant, p_erasure, 'trace', ARRAY[encode(t.trace_id, 'hex')]
    FROM public.erasure_items i JOIN public.otel_traces t ON t.tenant_id = i.tenant_id AND t.session_id = i.place[1]::uuid
    WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind = 'session' ON CONFLICT DO NOTHING;
    INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
    SELECT DISTINCT tenant, p_erasure, 'turn', ARRAY[t.project, t.conversation_id, t.turn_id]
    FROM public.erasure_items i JOIN public.conv_turns t ON t.tenant_id = i.tenant_id AND t.session_id IS NOT NULL
        AND t.turn_id = i.place[1]
    WHERE NOT p_narrow AND i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind = 'trace' AND NOT EXISTS (
        SELECT FROM public.erasure_items c WHERE c.tenant_id = tenant AND c.erasure_id = p_erasure AND c.kind = 'conversation'
          AND c.place = ARRAY[t.project, t.conversation_id]) ON CONFLICT DO NOTHING;
    INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
    SELECT tenant, p_erasure, 'golden', ARRAY[g.session_id::text]
    FROM public.erasure_items i JOIN public.goldens g ON g.tenant_id = i.tenant_id AND g.session_id = i.place[1]::uuid
    WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind = 'session' ON CONFLICT DO NOTHING;
    INSERT INTO public.erasure_items (tenant_id, erasure_id, kind, place)
    SELECT tenant, p_erasure, 'alternative', ARRAY[a.golden_id::text, a.session_id::text]
    FROM public.erasure_items i JOIN public.golden_alternatives a ON a.tenant_id = i.tenant_id AND a.session_id = i.place[1]::uuid
    WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure AND i.kind = 'session' ON CONFLICT DO NOTHING;
    SELECT count(*) INTO after FROM public.erasure_items i WHERE i.tenant_id = tenant AND i.erasure_id = p_erasure;
    RETURN after - before;
END;
$$;
REVOKE ALL ON FUNCTION gather_erased(uuid, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION gather_erased(uuid, boolean) TO goldloop_eraser;
