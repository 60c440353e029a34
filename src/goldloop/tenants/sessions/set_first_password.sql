-- An operator's act: the first password of a member of the transaction's tenant, who has thereby joined. False, and
-- nothing done, when they have a password already.
CREATE FUNCTION set_first_password(p_user uuid, p_password_hash text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
    UPDATE public.users SET password_hash = p_password_hash WHERE id = p_user AND password_hash IS NULL;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    UPDATE public.memberships SET joined_at = now()
    WHERE tenant_id = nullif(current_setting('app.tenant', true), '')::uuid AND user_id = p_user;
    RETURN true;
END;
$$;
REVOKE ALL ON FUNCTION set_first_password(uuid, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION set_first_password(uuid, text) TO goldloop_worker;
