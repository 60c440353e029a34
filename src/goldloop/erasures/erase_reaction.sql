-- A reaction to a turn of a conversation that stays.
CREATE FUNCTION erase_reaction(p_message uuid) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    gone bigint;
BEGIN
    DELETE FROM public.conv_messages m WHERE m.tenant_id = tenant AND m.id = p_message AND m.kind = 'turn.log.reaction';
    GET DIAGNOSTICS gone = ROW_COUNT;
    RETURN jsonb_build_object('conv_messages', gone);
END;
$$;
REVOKE ALL ON FUNCTION erase_reaction(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_reaction(uuid) TO goldloop_eraser;
