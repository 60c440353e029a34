-- A due mark of a kind that nobody else rebuilds, locked until the transaction ends, in turn across tenants:
-- the first one after p_after_tenant that has one and is not of p_without. Other rows of the same key go with it. Sets the tenant. It goes along an
-- index, also while PostgreSQL has not counted yet how many marks there are: sorting them all for one each time would take
-- longer the more there are.
CREATE FUNCTION pick_mark(p_kind text, p_after_tenant uuid, p_without uuid[] DEFAULT '{}')
RETURNS TABLE (tenant_id uuid, id uuid, key text, attempts integer)
LANGUAGE plpgsql SET enable_sort = off SET enable_bitmapscan = off SET enable_seqscan = off AS $$
DECLARE
    picked record;
    busy text[] := '{}';
    turn integer;
BEGIN
    FOR turn IN 0..1 LOOP  -- tenants after the last one served, then from the start
        LOOP
            SELECT m.tenant_id, m.id, m.key, m.attempts INTO picked
            FROM public.marks m
            WHERE m.kind = p_kind AND m.due_at <= clock_timestamp()
              AND (turn = 0 AND m.tenant_id > p_after_tenant OR turn = 1 AND m.tenant_id <= p_after_tenant)
              AND m.tenant_id <> ALL (p_without) AND m.tenant_id || m.key <> ALL (busy)
              AND NOT EXISTS (SELECT FROM public.marks l
                              WHERE l.tenant_id = m.tenant_id AND l.kind = m.kind AND l.key = m.key
                                AND l.leased_until > clock_timestamp())
            ORDER BY m.tenant_id, m.due_at LIMIT 1 FOR UPDATE OF m SKIP LOCKED;
            EXIT WHEN NOT FOUND;
            -- One rebuild of a key at a time, also when the key has several rows.
            IF pg_try_advisory_xact_lock(hashtextextended(picked.tenant_id || p_kind || picked.key, 0)) THEN
                DELETE FROM public.marks m USING (
                    SELECT o.tenant_id, o.id FROM public.marks o
                    WHERE o.tenant_id = picked.tenant_id AND o.kind = p_kind AND o.key = picked.key AND o.id <> picked.id
                    FOR UPDATE SKIP LOCKED
                ) others
                WHERE m.tenant_id = others.tenant_id AND m.id = others.id;
                EXECUTE format('SET LOCAL app.tenant = %L', picked.tenant_id);
                RETURN QUERY SELECT picked.tenant_id, picked.id, picked.key, picked.attempts;
                RETURN;
            END IF;
            busy := busy || (picked.tenant_id || picked.key);
        END LOOP;
    END LOOP;
END;
$$;
REVOKE ALL ON FUNCTION pick_mark(text, uuid, uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION pick_mark(text, uuid, uuid[]) TO goldloop_worker;
