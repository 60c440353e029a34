-- Which members of the transaction's tenant have never signed in.
CREATE FUNCTION members_without_password() RETURNS TABLE (user_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    SELECT m.user_id FROM public.memberships m JOIN public.users u ON u.id = m.user_id
    WHERE m.tenant_id = nullif(current_setting('app.tenant', true), '')::uuid AND u.password_hash IS NULL
$$;
REVOKE ALL ON FUNCTION members_without_password() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION members_without_password() TO goldloop_app, goldloop_worker;
