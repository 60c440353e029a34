-- Refuses what is about something that is being erased at this moment, be it a session, a conversation (project/id) or an
-- end user: it would come in behind the back of whoever erases. The code is that of `BeingErased` in kit/errors.py.
CREATE FUNCTION refuse_erased(p_sessions text[], p_conversations text[], p_end_users text[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    IF EXISTS (SELECT FROM public.erasure_blocks b WHERE b.tenant_id = tenant AND (
        b.kind = 'session' AND b.key = ANY (p_sessions) OR b.kind = 'conversation' AND b.key = ANY (p_conversations)
        OR b.kind = 'end_user' AND b.key = ANY (p_end_users))) THEN
        RAISE EXCEPTION 'this is being erased' USING ERRCODE = 'GL001';
    END IF;
END;
$$;
REVOKE ALL ON FUNCTION refuse_erased(text[], text[], text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION refuse_erased(text[], text[], text[]) TO goldloop_app, goldloop_worker;
