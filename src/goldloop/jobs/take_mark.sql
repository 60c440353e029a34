-- The next mark to rebuild within this transaction. At most p_cap transactions hold one of a kind at a time,
-- over all workers: each holds one of p_cap numbered locks.
CREATE FUNCTION take_mark(p_kind text, p_after_tenant uuid, p_cap integer)
RETURNS TABLE (tenant_id uuid, id uuid, key text, attempts integer)
LANGUAGE plpgsql AS $$
BEGIN
    FOR slot IN 1..p_cap LOOP
        IF pg_try_advisory_xact_lock(hashtext('goldloop mark ' || p_kind), slot) THEN
            RETURN QUERY SELECT p.tenant_id, p.id, p.key, p.attempts FROM public.pick_mark(p_kind, p_after_tenant) p;
            RETURN;
        END IF;
    END LOOP;
END;
$$;
REVOKE ALL ON FUNCTION take_mark(text, uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_mark(text, uuid, integer) TO goldloop_worker;
