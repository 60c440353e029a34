-- What became of the responses of one agent: counted and listed by status, and what still waits.
CREATE INDEX entity_responses_agent_status ON entity_responses (tenant_id, submitted_by_agent, status, created_at, id)
    WHERE submitted_by_agent IS NOT NULL AND withdrawn_at IS NULL;
CREATE INDEX entity_responses_waiting_of_agent ON entity_responses (tenant_id, submitted_by_agent, created_at, id)
    WHERE waits AND submitted_by_agent IS NOT NULL;
