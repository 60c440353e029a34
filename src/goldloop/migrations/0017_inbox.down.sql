DROP INDEX entity_responses_all, entity_responses_status, entity_responses_type, entity_responses_set, entity_responses_user,
    entity_responses_agent, entity_responses_assigned, entity_responses_waiting, entity_responses_waiting_entity,
    entity_responses_waiting_type, entity_responses_waiting_set, entity_responses_waiting_agent;
CREATE INDEX entity_responses_set ON entity_responses (tenant_id, criteria_set_id, id) WHERE withdrawn_at IS NULL;
ALTER TABLE entity_responses DROP COLUMN waits, DROP COLUMN type_id, DROP COLUMN assigned_to;
