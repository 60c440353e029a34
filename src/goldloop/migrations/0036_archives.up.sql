-- Archives of a workspace: each is a run, and parts of one size in the blob store, under the try that wrote them.
CREATE TABLE archives (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    attempt uuid,
    size bigint,
    manifest jsonb,
    expires_at timestamptz,
    removed_at timestamptz,  -- its parts are gone, or are about to go
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, id) REFERENCES runs (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX archives_expiring ON archives (tenant_id, expires_at) WHERE removed_at IS NULL;
SELECT make_tenant_table('archives');

-- What an archive brings back comes in any order, and goldens together with what happened in them. Memories are a person's
-- own, also for whoever exports a workspace over HTTP: only the operator's command opens them.
ALTER TABLE entity_responses ALTER CONSTRAINT entity_responses_tenant_id_parent_response_id_fkey DEFERRABLE INITIALLY IMMEDIATE;
DROP POLICY golden_is_frozen ON session_events;
CREATE POLICY golden_is_frozen ON session_events AS RESTRICTIVE FOR INSERT WITH CHECK (
    current_setting('app.archive', true) = 'open'
    OR NOT EXISTS (
        SELECT FROM sessions s
        WHERE s.tenant_id = session_events.tenant_id AND s.id = session_events.session_id
          AND s.metadata ?| ARRAY['golden', 'accepted_for']));
DROP POLICY own_select ON user_memories;
CREATE POLICY own_select ON user_memories AS RESTRICTIVE FOR SELECT USING (
    user_id = nullif(current_setting('app.user_id', true), '')::uuid
    OR user_id = nullif(current_setting('app.memories', true), '')::uuid
    OR current_setting('app.archive', true) = 'open');
