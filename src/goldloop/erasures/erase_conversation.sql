-- A conversation with its turns, messages, reactions, vectors and words; returns how many rows went, by table.
CREATE FUNCTION erase_conversation(p_project text, p_conversation text) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    words bigint; messages bigint; turns bigint; conversations bigint;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended(tenant || '/' || p_project || '/' || p_conversation, 0));
    DELETE FROM public.conversation_words w WHERE w.tenant_id = tenant AND w.project = p_project AND w.conversation_id = p_conversation;
    GET DIAGNOSTICS words = ROW_COUNT;
    DELETE FROM public.conv_messages m WHERE m.tenant_id = tenant AND m.project = p_project AND m.conversation_id = p_conversation;
    GET DIAGNOSTICS messages = ROW_COUNT;
    DELETE FROM public.conv_turns t WHERE t.tenant_id = tenant AND t.project = p_project AND t.conversation_id = p_conversation;
    GET DIAGNOSTICS turns = ROW_COUNT;
    DELETE FROM public.conversations c WHERE c.tenant_id = tenant AND c.project = p_project AND c.id = p_conversation;
    GET DIAGNOSTICS conversations = ROW_COUNT;
    RETURN jsonb_build_object('conversations', conversations, 'conv_turns', turns, 'conv_messages', messages,
                              'conversation_words', words);
END;
$$;
REVOKE ALL ON FUNCTION erase_conversation(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_conversation(text, text) TO goldloop_eraser;
