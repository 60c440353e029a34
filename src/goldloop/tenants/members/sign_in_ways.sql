-- How members of the transaction's tenant sign in: whether with a password and a second factor, and at which providers.
CREATE FUNCTION sign_in_ways(p_users uuid[])
RETURNS TABLE (user_id uuid, has_password boolean, has_second_factor boolean, providers text[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    SELECT m.user_id, u.password_hash IS NOT NULL,
           EXISTS (SELECT FROM public.second_factors f WHERE f.account_id = u.id AND f.confirmed_at IS NOT NULL),
           ARRAY(SELECT DISTINCT i.provider FROM public.identities i WHERE i.account_id = u.id ORDER BY i.provider)
    FROM public.memberships m JOIN public.users u ON u.id = m.account_id
    WHERE m.tenant_id = nullif(current_setting('app.tenant', true), '')::uuid AND m.user_id = ANY (p_users)
$$;
REVOKE ALL ON FUNCTION sign_in_ways(uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sign_in_ways(uuid[]) TO goldloop_app, goldloop_worker;
