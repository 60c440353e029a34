-- How the one who did something is called, within the transaction's tenant; null for who is gone.
CREATE FUNCTION party_name(p_kind text, p_id uuid) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT CASE p_kind
        WHEN 'user' THEN (SELECT u.name FROM public.users u WHERE u.id = p_id)
        WHEN 'agent' THEN (SELECT a.name FROM public.agents a
                           WHERE a.tenant_id = nullif(current_setting('app.tenant', true), '')::uuid AND a.id = p_id)
        ELSE 'system' END
$$;
REVOKE ALL ON FUNCTION party_name(text, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION party_name(text, uuid) TO goldloop_app, goldloop_worker;
