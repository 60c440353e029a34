-- Uses an invitation up for the signed-in person it was made for. Two secrets, one row: `accepted`, `for_another`
-- (the invitation is for somebody else) or none (it is not valid any more).
CREATE FUNCTION accept_invite(p_hash bytea, p_session bytea) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
    used record;
    person uuid;
BEGIN
    SELECT s.user_id INTO person FROM public.sign_in_sessions s WHERE s.hash = p_session AND s.expires_at > now();
    SELECT i.user_id, i.tenant_id INTO used FROM public.invites i WHERE i.hash = p_hash AND i.expires_at > now() FOR UPDATE;
    IF NOT FOUND OR person IS NULL THEN
        RETURN NULL;
    ELSIF used.user_id <> person THEN
        RETURN 'for_another';
    END IF;
    DELETE FROM public.invites WHERE hash = p_hash;
    PERFORM public.join_workspace(used.tenant_id, person);
    RETURN 'accepted';
END;
$$;
REVOKE ALL ON FUNCTION accept_invite(bytea, bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION accept_invite(bytea, bytea) TO goldloop_app;
