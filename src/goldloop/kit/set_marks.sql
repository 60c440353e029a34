-- Marks derived state of the transaction's tenant as due for a rebuild. A mark that is there already is
-- share-locked until the writer commits, so that no worker takes it too early; one that a worker holds is
-- passed over and gets a second row. A new mark is due after p_delay. Writers never wait, neither for workers nor for each other.
CREATE FUNCTION set_marks(p_kind text, p_keys text[], p_delay interval DEFAULT '0') RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid;
BEGIN
    WITH held AS (
        SELECT m.key FROM public.marks m
        WHERE m.tenant_id = tenant AND m.kind = p_kind AND m.key = ANY (p_keys)
          AND m.leased_until IS NULL AND m.attempts = 0
        FOR SHARE SKIP LOCKED
    )
    INSERT INTO public.marks (tenant_id, kind, key, due_at)
    SELECT tenant, p_kind, wanted.key, clock_timestamp() + p_delay
    FROM (SELECT DISTINCT unnest(p_keys) AS key) wanted
    WHERE NOT EXISTS (SELECT FROM held WHERE held.key = wanted.key);
    IF FOUND AND p_delay = '0' THEN
        PERFORM pg_notify('goldloop_marks', p_kind);
    END IF;
END;
$$;
REVOKE ALL ON FUNCTION set_marks(text, text[], interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION set_marks(text, text[], interval) TO goldloop_app, goldloop_worker;
