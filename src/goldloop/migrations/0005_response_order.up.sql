-- The newest response is the one accepted last: ids are the clients' own, and may be older or younger than that.
DROP INDEX entity_responses_entity, entity_responses_newest;
CREATE INDEX entity_responses_entity ON entity_responses (tenant_id, entity_id, criteria_set_id, created_at, id)
    WHERE withdrawn_at IS NULL;
CREATE INDEX entity_responses_newest ON entity_responses (tenant_id, entity_id, created_at, id);
