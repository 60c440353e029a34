-- The person with an address, made if there is none yet.
CREATE FUNCTION ensure_user(p_id uuid, p_email text, p_name text)
RETURNS TABLE (user_id uuid, has_password boolean, invited_elsewhere boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
    INSERT INTO public.users (id, email, name) VALUES (p_id, lower(p_email), p_name)
    ON CONFLICT (email) DO NOTHING;
    RETURN QUERY SELECT u.id, u.password_hash IS NOT NULL,
        u.password_hash IS NULL AND EXISTS (
            SELECT FROM public.memberships m WHERE m.user_id = u.id
            AND m.tenant_id <> nullif(current_setting('app.tenant', true), '')::uuid)
    FROM public.users u WHERE u.email = lower(p_email);
END;
$$;
REVOKE ALL ON FUNCTION ensure_user(uuid, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ensure_user(uuid, text, text) TO goldloop_app, goldloop_worker;
