DROP INDEX entity_responses_entity, entity_responses_newest;
CREATE INDEX entity_responses_entity ON entity_responses (tenant_id, entity_id, criteria_set_id, id)
    WHERE withdrawn_at IS NULL;
CREATE INDEX entity_responses_newest ON entity_responses (tenant_id, entity_id, id) WHERE withdrawn_at IS NULL;
