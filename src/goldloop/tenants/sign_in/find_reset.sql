-- The address that a link to a new password is for, whether the operator made it, and the account whose password it sets:
-- none where a workspace's link is for one that is in another workspace too. One secret, one row.
CREATE FUNCTION find_reset(p_hash bytea) RETURNS TABLE (email text, by_operator boolean, account_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    SELECT coalesce(u.email, m.email), r.account_id IS NOT NULL,
           CASE WHEN NOT EXISTS (SELECT FROM public.memberships o
                                 WHERE o.account_id = m.account_id AND o.tenant_id <> r.tenant_id)
                THEN coalesce(r.account_id, m.account_id) ELSE r.account_id END
    FROM public.password_resets r
    LEFT JOIN public.users u ON u.id = r.account_id
    LEFT JOIN public.memberships m ON m.tenant_id = r.tenant_id AND m.user_id = r.user_id AND m.account_id IS NOT NULL
    WHERE r.hash = p_hash AND r.expires_at > now() AND coalesce(u.email, m.email) IS NOT NULL
$$;
REVOKE ALL ON FUNCTION find_reset(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_reset(bytea) TO goldloop_app;
