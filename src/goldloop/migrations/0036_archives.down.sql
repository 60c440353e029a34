DROP POLICY own_select ON user_memories;
CREATE POLICY own_select ON user_memories AS RESTRICTIVE FOR SELECT USING (
    user_id = nullif(current_setting('app.user_id', true), '')::uuid
    OR user_id = nullif(current_setting('app.memories', true), '')::uuid);
DROP POLICY golden_is_frozen ON session_events;
CREATE POLICY golden_is_frozen ON session_events AS RESTRICTIVE FOR INSERT WITH CHECK (NOT EXISTS (
    SELECT FROM sessions s WHERE s.tenant_id = session_events.tenant_id AND s.id = session_events.session_id
    AND s.metadata ?| ARRAY['golden', 'accepted_for']
));
ALTER TABLE entity_responses ALTER CONSTRAINT entity_responses_tenant_id_parent_response_id_fkey NOT DEFERRABLE;
DROP TABLE archives;
DO $$
BEGIN
    ALTER TABLE runs NO FORCE ROW LEVEL SECURITY;
    DELETE FROM runs WHERE kind = 'archive';
    ALTER TABLE runs FORCE ROW LEVEL SECURITY;
END $$;
