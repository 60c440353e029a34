-- One turn of a conversation that stays: its title and what it is found by are made anew of what is left. With its last turn
-- the conversation goes. Returns how many rows went, by table.
CREATE FUNCTION erase_turn(p_project text, p_conversation text, p_turn text) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    words bigint; messages bigint; gone bigint;
    rest record;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended(tenant || '/' || p_project || '/' || p_conversation, 0));
    DELETE FROM public.conv_messages m
    WHERE m.tenant_id = tenant AND m.project = p_project AND m.conversation_id = p_conversation AND m.turn_id = p_turn;
    GET DIAGNOSTICS messages = ROW_COUNT;
    DELETE FROM public.conv_turns t
    WHERE t.tenant_id = tenant AND t.project = p_project AND t.conversation_id = p_conversation AND t.turn_id = p_turn;
    GET DIAGNOSTICS gone = ROW_COUNT;
    SELECT count(DISTINCT t.turn_id) AS turns, min(t.ts) AS first, max(t.ts) AS last,
           coalesce((array_agg(left(m.text, 200) ORDER BY t.ts, t.seq, m.role DESC) FILTER (WHERE m.kind = 'message'))[1], '') AS title
    INTO rest
    FROM public.conv_turns t LEFT JOIN public.conv_messages m ON m.tenant_id = t.tenant_id AND m.project = t.project
        AND m.conversation_id = t.conversation_id AND m.turn_id = t.turn_id
    WHERE t.tenant_id = tenant AND t.project = p_project AND t.conversation_id = p_conversation;
    IF rest.turns = 0 THEN
        RETURN public.erase_conversation(p_project, p_conversation)
            || jsonb_build_object('conv_turns', gone, 'conv_messages', messages);
    END IF;
    UPDATE public.conversations c
    SET turns = rest.turns, title = rest.title, started_at = rest.first, last_activity_at = rest.last
    WHERE c.tenant_id = tenant AND c.project = p_project AND c.id = p_conversation;
    DELETE FROM public.conversation_words w WHERE w.tenant_id = tenant AND w.project = p_project AND w.conversation_id = p_conversation;
    GET DIAGNOSTICS words = ROW_COUNT;
    UPDATE public.conv_messages m SET embedding = NULL, embedding_model = NULL, embedding_dims = NULL
    WHERE m.tenant_id = tenant AND m.project = p_project AND m.conversation_id = p_conversation AND m.kind = 'message';
    PERFORM public.set_marks('conversations.index', ARRAY[p_project || '/' || p_conversation]);
    RETURN jsonb_build_object('conv_turns', gone, 'conv_messages', messages, 'conversation_words', words);
END;
$$;
REVOKE ALL ON FUNCTION erase_turn(text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_turn(text, text, text) TO goldloop_eraser;
