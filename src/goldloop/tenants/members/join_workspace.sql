-- Marks a membership as joined and tells of it; part of using an invitation, whatever the way.
CREATE FUNCTION join_workspace(p_tenant uuid, p_user uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
    UPDATE public.memberships SET joined_at = now()
    WHERE tenant_id = p_tenant AND user_id = p_user AND joined_at IS NULL;
    IF FOUND THEN
        PERFORM set_config('app.tenant', p_tenant::text, true), set_config('app.actor', 'user:' || p_user, true);
        PERFORM public.emit_event(gen_random_uuid(), 'member.joined', 'members', p_user::text, '{}'::jsonb);
        PERFORM set_config('app.tenant', '', true), pg_notify('goldloop_auth', '');
    END IF;
END;
$$;
REVOKE ALL ON FUNCTION join_workspace(uuid, uuid) FROM PUBLIC;
-- No role may call it: other functions do, with the owner's rights.
