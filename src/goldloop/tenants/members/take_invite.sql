-- Uses an invitation up: the membership that it was made for, locked, or no row when it is not valid any more.
CREATE FUNCTION take_invite(p_hash bytea) RETURNS TABLE (tenant_id uuid, user_id uuid, email text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
    invited record;
BEGIN
    SELECT m.tenant_id, m.user_id, m.email INTO invited  -- locked before the invitation, as removing a member does
    FROM public.memberships m
    WHERE (m.tenant_id, m.user_id) IN
          (SELECT i.tenant_id, i.user_id FROM public.invites i WHERE i.hash = p_hash AND i.expires_at > now())
      AND m.account_id IS NULL
    FOR UPDATE;
    DELETE FROM public.invites i WHERE i.hash = p_hash;
    IF FOUND AND invited.user_id IS NOT NULL THEN
        RETURN QUERY SELECT invited.tenant_id, invited.user_id, invited.email;
    END IF;
END;
$$;
REVOKE ALL ON FUNCTION take_invite(bytea) FROM PUBLIC;
-- No role may call it: other functions do, with the owner's rights.
