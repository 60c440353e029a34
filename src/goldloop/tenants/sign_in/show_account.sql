-- How the person behind a sign-in session can sign in: one secret, one row.
CREATE FUNCTION show_account(p_session bytea)
RETURNS TABLE (
    account_id uuid, has_password boolean, second_factor_since timestamptz, recovery_codes_left integer, identities jsonb
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    SELECT u.id, u.password_hash IS NOT NULL,
           (SELECT f.confirmed_at FROM public.second_factors f WHERE f.account_id = u.id),
           (SELECT count(*)::integer FROM public.recovery_codes c WHERE c.account_id = u.id),
           coalesce((SELECT jsonb_agg(jsonb_build_object('id', i.id, 'provider', i.provider, 'email', i.email,
                                                         'linked_at', i.linked_at, 'last_used_at', i.last_used_at)
                                      ORDER BY i.linked_at, i.id)
                     FROM public.identities i WHERE i.account_id = u.id), '[]')
    FROM public.sign_in_sessions s JOIN public.users u ON u.id = s.user_id
    WHERE s.hash = p_session AND s.expires_at > now()
$$;
REVOKE ALL ON FUNCTION show_account(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION show_account(bytea) TO goldloop_app;
