-- Whether a member of the transaction's tenant has ever set a password; null for anybody else.
CREATE FUNCTION member_has_password(p_user uuid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    SELECT u.password_hash IS NOT NULL
    FROM public.memberships m JOIN public.users u ON u.id = m.user_id
    WHERE m.tenant_id = nullif(current_setting('app.tenant', true), '')::uuid AND m.user_id = p_user
$$;
REVOKE ALL ON FUNCTION member_has_password(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION member_has_password(uuid) TO goldloop_app, goldloop_worker;
