-- The next marks to rebuild within this transaction, all of one tenant and p_most at most: the one of take_mark, and what else
-- is due there of its kind. One that has failed is taken alone, so that it takes no other with it. Like take_mark it goes
-- along an index.
CREATE FUNCTION take_marks(p_kind text, p_after_tenant uuid, p_cap integer, p_most integer)
RETURNS TABLE (tenant_id uuid, id uuid, key text, attempts integer)
LANGUAGE plpgsql SET enable_sort = off SET enable_bitmapscan = off SET enable_seqscan = off AS $$
DECLARE
    first record;
    other record;
    moment timestamptz := clock_timestamp();
    ids uuid[];
    keys text[];
BEGIN
    SELECT t.tenant_id, t.id, t.key, t.attempts INTO first FROM public.take_mark(p_kind, p_after_tenant, p_cap) t;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    RETURN QUERY SELECT first.tenant_id, first.id, first.key, first.attempts;
    IF p_most = 1 OR first.attempts > 0 THEN
        RETURN;
    END IF;
    FOR other IN
        SELECT m.id, m.key FROM public.marks m
        WHERE m.kind = p_kind AND m.tenant_id = first.tenant_id AND m.due_at <= moment AND m.attempts = 0
          AND m.leased_until IS NULL AND m.key <> first.key
        ORDER BY m.due_at LIMIT p_most - 1 FOR UPDATE SKIP LOCKED
    LOOP
        IF other.key = ANY (keys) THEN
            CONTINUE;
        END IF;
        -- One rebuild of a key at a time, also when the key has several rows.
        IF pg_try_advisory_xact_lock(hashtextextended(first.tenant_id || p_kind || other.key, 0)) THEN
            ids := ids || other.id;
            keys := keys || other.key;
            RETURN QUERY SELECT first.tenant_id, other.id, other.key, 0;
        END IF;
    END LOOP;
    DELETE FROM public.marks m USING (
        SELECT o.tenant_id, o.id FROM public.marks o
        WHERE o.tenant_id = first.tenant_id AND o.kind = p_kind AND o.key = ANY (keys) AND o.id <> ALL (ids)
        FOR UPDATE SKIP LOCKED
    ) others
    WHERE m.tenant_id = others.tenant_id AND m.id = others.id;
END;
$$;
REVOKE ALL ON FUNCTION take_marks(text, uuid, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_marks(text, uuid, integer, integer) TO goldloop_worker;
