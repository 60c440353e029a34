DROP INDEX session_events_blob, sessions_user, conv_turns_user;
CREATE OR REPLACE FUNCTION make_tenant_table(target regclass, privileges text DEFAULT 'SELECT, INSERT, UPDATE, DELETE')
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
    EXECUTE format(
        'CREATE POLICY tenant_isolation ON %s USING (tenant_id = nullif(current_setting(''app.tenant'', true), '''')::uuid)',
        target);
    EXECUTE format('GRANT %s ON %s TO goldloop_app, goldloop_worker', privileges, target);
END;
$$;
DO $$
DECLARE
    target regclass;
BEGIN
    FOR target IN SELECT c.oid::regclass FROM pg_class c
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relforcerowsecurity ORDER BY c.relname LOOP
        EXECUTE format('DROP POLICY IF EXISTS within_erasure_update ON %s', target);
        EXECUTE format('DROP POLICY IF EXISTS within_erasure_delete ON %s', target);
        EXECUTE format('REVOKE ALL ON %s FROM goldloop_eraser', target);
    END LOOP;
END;
$$;
REVOKE ALL ON tenants FROM goldloop_eraser;
DROP FUNCTION let_erase(regclass);
DROP POLICY not_erasing ON entities;
DROP POLICY not_erasing ON sessions;
DROP POLICY not_erasing ON conversations;
ALTER TABLE entities DROP COLUMN erasing;
ALTER TABLE sessions DROP COLUMN erasing;
ALTER TABLE conversations DROP COLUMN erasing;
DROP TABLE erased_workspaces, erasure_blocks, erasure_items, erasures;
DELETE FROM runs WHERE kind IN ('erasure', 'retention');
-- The role stays: it belongs to the cluster, where another database may use it.
