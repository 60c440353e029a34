-- Work for agents that is done by hand or by the clock, and the agents that every workspace has. The registry of agents has
-- no foreign key from here: on a sharded installation it lives on the coordinator.
CREATE TABLE tasks (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    kind text NOT NULL CHECK (length(kind) BETWEEN 1 AND 63),
    agent_id uuid NOT NULL,
    agent text NOT NULL,
    config jsonb NOT NULL CHECK (jsonb_typeof(config) = 'object'),
    schedule jsonb,
    enabled boolean NOT NULL,
    next_at timestamptz,  -- which the queued job has to name to start a run
    job_id uuid,
    problem jsonb,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    created_by_kind text NOT NULL CHECK (created_by_kind IN ('user', 'agent', 'system')),
    created_by_id uuid,
    PRIMARY KEY (tenant_id, id)
);
CREATE INDEX tasks_newest ON tasks (tenant_id, created_at, id);
CREATE INDEX tasks_job ON tasks (tenant_id, job_id) WHERE job_id IS NOT NULL;
CREATE INDEX tasks_problem ON tasks (tenant_id, id) WHERE problem IS NOT NULL AND enabled;
SELECT make_tenant_table('tasks');

ALTER TABLE agents NO FORCE ROW LEVEL SECURITY;  -- the rows of all workspaces, whoever owns the table
ALTER TABLE parties NO FORCE ROW LEVEL SECURITY;
ALTER TABLE agent_versions NO FORCE ROW LEVEL SECURITY;
INSERT INTO agents (tenant_id, id, slug, name, description, is_system, created_by_kind)
SELECT t.id, gen_random_uuid(), 'field-populator', 'Field populator',
       'Fills in the fields of records from what it is given to read, and says where each value comes from', true, 'system'
FROM tenants t ON CONFLICT DO NOTHING;
INSERT INTO parties (tenant_id, kind, id, name)
SELECT a.tenant_id, 'agent', a.id, a.name FROM agents a WHERE a.is_system ON CONFLICT DO NOTHING;
INSERT INTO agent_versions (tenant_id, agent_id, version, config, note, created_by_kind)
SELECT a.tenant_id, a.id, 1, '{"runtime": "built_in", "tool_groups": ["entities-read"]}', 'As every workspace has it', 'system'
FROM agents a WHERE a.is_system ON CONFLICT DO NOTHING;
ALTER TABLE agent_versions FORCE ROW LEVEL SECURITY;
ALTER TABLE parties FORCE ROW LEVEL SECURITY;
ALTER TABLE agents FORCE ROW LEVEL SECURITY;
