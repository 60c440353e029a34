-- Responses over all records. What lists of them are asked by stands in their own row: the type of the record, whom one is
-- assigned to, and whether it waits for review, which is said here and nowhere else: not withdrawn, neither decided nor
-- replaced, and with a value that could still be promoted. A column, because only a plain one is looked up by an index under
-- row-level security.
ALTER TABLE entity_responses
    ADD COLUMN type_id uuid,
    ADD COLUMN assigned_to uuid,
    ADD COLUMN waits boolean NOT NULL GENERATED ALWAYS AS (
        withdrawn_at IS NULL AND status IN ('submitted', 'partially_promoted') AND NOT promotable_fields <@ promoted_fields
    ) STORED;

ALTER TABLE entity_responses NO FORCE ROW LEVEL SECURITY;  -- the rows of all workspaces, whoever owns the tables
ALTER TABLE entities NO FORCE ROW LEVEL SECURITY;
UPDATE entity_responses r SET type_id = e.type_id FROM entities e WHERE e.tenant_id = r.tenant_id AND e.id = r.entity_id;
ALTER TABLE entity_responses FORCE ROW LEVEL SECURITY;
ALTER TABLE entities FORCE ROW LEVEL SECURITY;
ALTER TABLE entity_responses ALTER COLUMN type_id SET NOT NULL;

-- All of them, newest first, by each question.
CREATE INDEX entity_responses_all ON entity_responses (tenant_id, created_at, id) WHERE withdrawn_at IS NULL;
CREATE INDEX entity_responses_status ON entity_responses (tenant_id, status, created_at, id) WHERE withdrawn_at IS NULL;
CREATE INDEX entity_responses_type ON entity_responses (tenant_id, type_id, created_at, id) WHERE withdrawn_at IS NULL;
DROP INDEX entity_responses_set;
CREATE INDEX entity_responses_set ON entity_responses (tenant_id, criteria_set_id, created_at, id) WHERE withdrawn_at IS NULL;
CREATE INDEX entity_responses_user ON entity_responses (tenant_id, submitted_by_user, created_at, id)
    WHERE submitted_by_user IS NOT NULL AND withdrawn_at IS NULL;
CREATE INDEX entity_responses_agent ON entity_responses (tenant_id, submitted_by_agent, created_at, id)
    WHERE submitted_by_agent IS NOT NULL AND withdrawn_at IS NULL;
CREATE INDEX entity_responses_assigned ON entity_responses (tenant_id, assigned_to, waits, created_at, id)
    WHERE assigned_to IS NOT NULL;
-- What waits, which is little among much.
CREATE INDEX entity_responses_waiting ON entity_responses (tenant_id, created_at, id) WHERE waits;
CREATE INDEX entity_responses_waiting_entity ON entity_responses (tenant_id, entity_id, created_at, id) WHERE waits;
CREATE INDEX entity_responses_waiting_type ON entity_responses (tenant_id, type_id, created_at, id) WHERE waits;
CREATE INDEX entity_responses_waiting_set ON entity_responses (tenant_id, criteria_set_id, created_at, id) WHERE waits;
CREATE INDEX entity_responses_waiting_agent ON entity_responses (tenant_id, created_at, id)
    WHERE waits AND submitted_by_agent IS NOT NULL;
