-- What agents run with, in numbered versions that are kept, and the secrets that they run with. The registry stays who they
-- are. No foreign key leads there: on a sharded installation it lives on the coordinator.
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
