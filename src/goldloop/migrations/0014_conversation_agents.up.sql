-- Which agent of the registry a conversation and a turn are with, beside the text that the chat sent. Resolved at intake;
-- what is there already is resolved here. Agents are never deleted, and their table may live on another machine than a
-- workspace's conversations: so there is no foreign key.
ALTER TABLE conversations ADD COLUMN agent_id uuid;
ALTER TABLE conv_turns ADD COLUMN agent_id uuid;

ALTER TABLE agents NO FORCE ROW LEVEL SECURITY;  -- the rows of all workspaces, whoever owns the tables
ALTER TABLE conversations NO FORCE ROW LEVEL SECURITY;
ALTER TABLE conv_turns NO FORCE ROW LEVEL SECURITY;
UPDATE conversations c SET agent_id = a.id FROM agents a WHERE a.tenant_id = c.tenant_id AND a.slug = c.agent;
UPDATE conv_turns t SET agent_id = a.id FROM agents a WHERE a.tenant_id = t.tenant_id AND a.slug = t.agent;
ALTER TABLE agents FORCE ROW LEVEL SECURITY;
ALTER TABLE conversations FORCE ROW LEVEL SECURITY;
ALTER TABLE conv_turns FORCE ROW LEVEL SECURITY;

CREATE INDEX conversations_of_agent_id ON conversations (tenant_id, agent_id, last_activity_at, project, id)
    WHERE agent_id IS NOT NULL;
