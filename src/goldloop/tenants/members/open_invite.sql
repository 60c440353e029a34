-- An invitation into the transaction's tenant under a secret's hash; earlier ones of that person end.
CREATE FUNCTION open_invite(p_hash bytea, p_user uuid, p_expires_at timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
    DELETE FROM public.invites
    WHERE user_id = p_user AND tenant_id = nullif(current_setting('app.tenant', true), '')::uuid;
    INSERT INTO public.invites (hash, tenant_id, user_id, expires_at)
    VALUES (p_hash, nullif(current_setting('app.tenant', true), '')::uuid, p_user, p_expires_at)
$$;
REVOKE ALL ON FUNCTION open_invite(bytea, uuid, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION open_invite(bytea, uuid, timestamptz) TO goldloop_app, goldloop_worker;
