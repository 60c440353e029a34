-- Like take_mark, for rebuilding that waits on a network or a model: the mark is leased, not locked, and the
-- transaction can end. At most p_cap leases of a kind run at once, over all workers. Tenants of p_without have
-- their share already.
CREATE FUNCTION lease_mark(p_kind text, p_after_tenant uuid, p_cap integer, p_lease interval, p_without uuid[] DEFAULT '{}')
RETURNS TABLE (tenant_id uuid, id uuid, key text, attempts integer, leased_until timestamptz)
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('goldloop lease'), hashtext(p_kind));
    IF (SELECT count(*) FROM public.marks m WHERE m.kind = p_kind AND m.leased_until > clock_timestamp()) >= p_cap THEN
        RETURN;
    END IF;
    RETURN QUERY
    UPDATE public.marks m SET leased_until = clock_timestamp() + p_lease
    FROM public.pick_mark(p_kind, p_after_tenant, p_without) p
    WHERE m.tenant_id = p.tenant_id AND m.id = p.id
    RETURNING m.tenant_id, m.id, m.key, m.attempts, m.leased_until;
END;
$$;
REVOKE ALL ON FUNCTION lease_mark(text, uuid, integer, interval, uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lease_mark(text, uuid, integer, interval, uuid[]) TO goldloop_worker;
