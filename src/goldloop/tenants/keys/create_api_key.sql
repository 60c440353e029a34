-- A key, its hash and its event in one call; returns the key and the event, or no row when the id is taken in this tenant.
CREATE FUNCTION create_api_key(
    p_id uuid, p_hash bytea, p_name text, p_prefix text, p_role text, p_scopes text[],
    p_user uuid, p_agent uuid, p_actor_kind text, p_actor uuid, p_expires_at timestamptz, p_event uuid
) RETURNS TABLE (key api_keys, event jsonb)
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    INSERT INTO public.api_keys (tenant_id, id, name, prefix, role, scopes, user_id, agent_id,
                                 created_by_kind, created_by_id, expires_at)
    VALUES (tenant, p_id, p_name, p_prefix, p_role, p_scopes, p_user, p_agent,
            p_actor_kind, p_actor, p_expires_at)
    ON CONFLICT DO NOTHING
    RETURNING * INTO key;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    PERFORM public.put_key_hash(p_hash, p_id);
    event := public.emit_event(p_event, 'key.created', 'keys', p_id::text, jsonb_build_object('name', p_name));
    RETURN NEXT;
END;
$$;
REVOKE ALL ON FUNCTION create_api_key(uuid, bytea, text, text, text, text[], uuid, uuid, text, uuid, timestamptz, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION create_api_key(uuid, bytea, text, text, text, text[], uuid, uuid, text, uuid, timestamptz, uuid)
    TO goldloop_app, goldloop_worker;
