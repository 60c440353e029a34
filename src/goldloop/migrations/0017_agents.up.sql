-- What agents run with, in numbered versions that are kept, and the secrets that they run with. The registry stays who they
-- are. No foreign key leads there: on a sharded installation it lives on the coordinator.
ALTER TABLE agents ADD COLUMN is_system boolean NOT NULL DEFAULT false;

CREATE TABLE agent_versions (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    agent_id uuid NOT NULL,
    version integer NOT NULL CHECK (version >= 1),
    config jsonb NOT NULL CHECK (jsonb_typeof(config) = 'object'),
    note text NOT NULL DEFAULT '' CHECK (length(note) <= 2000),
    restored_from integer,
    created_at timestamptz NOT NULL DEFAULT now(),
    created_by_kind text NOT NULL CHECK (created_by_kind IN ('user', 'agent', 'system')),
    created_by_id uuid,
    PRIMARY KEY (tenant_id, agent_id, version)
);
SELECT make_tenant_table('agent_versions', 'SELECT, INSERT');

CREATE TABLE agent_secrets (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    agent_id uuid NOT NULL,
    name text NOT NULL CHECK (name IN ('model_key', 'http_secret')),
    sealed bytea NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now(),
    updated_by_kind text NOT NULL CHECK (updated_by_kind IN ('user', 'agent', 'system')),
    updated_by_id uuid,
    PRIMARY KEY (tenant_id, agent_id, name)
);
SELECT make_tenant_table('agent_secrets');

-- Workspaces that are there already get the agents that come with Goldloop, as a new one does; what they run with is their
-- first version. Row-level security binds the owner too, who has to see all workspaces here.
ALTER TABLE agents NO FORCE ROW LEVEL SECURITY;
ALTER TABLE parties NO FORCE ROW LEVEL SECURITY;
ALTER TABLE agent_versions NO FORCE ROW LEVEL SECURITY;
INSERT INTO agents (tenant_id, id, slug, name, description, is_system, created_by_kind)
SELECT t.id, gen_random_uuid(), 'goldloop-populate', 'Populate fields',
       'Reads the material given with a task and proposes values for the fields of a record.', true, 'system'
FROM tenants t
ON CONFLICT DO NOTHING;
INSERT INTO parties (tenant_id, kind, id, name)
SELECT a.tenant_id, 'agent', a.id, a.name FROM agents a WHERE a.is_system
ON CONFLICT DO NOTHING;
INSERT INTO agent_versions (tenant_id, agent_id, version, config, created_by_kind)
SELECT a.tenant_id, a.id, 1, '{"instructions": "You fill in fields of a record from the material that comes with the task. Take each value from the material or from the\nrecord itself; where neither has it, leave the field out and say so. Never guess. For every value say how sure you are\n(0 to 1) and quote the passage that it rests on. Propose all values with one call of submitResponse, with source\n\"extraction\", and end with one sentence on what you left out and why.", "tool_groups": ["entities-read", "responses"]}',
       'system'
FROM agents a WHERE a.is_system
ON CONFLICT DO NOTHING;
ALTER TABLE agents FORCE ROW LEVEL SECURITY;
ALTER TABLE parties FORCE ROW LEVEL SECURITY;
ALTER TABLE agent_versions FORCE ROW LEVEL SECURITY;
