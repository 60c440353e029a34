-- What a workspace has set otherwise than the defaults, a row for each section. What a section holds is the type of the
-- concept that declares it.
CREATE TABLE workspace_settings (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    section text NOT NULL CHECK (length(section) BETWEEN 1 AND 100),
    value jsonb NOT NULL CHECK (jsonb_typeof(value) = 'object'),
    version integer NOT NULL DEFAULT 1,
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, section)
);

-- Row-level security binds the owner too, who has to see all workspaces here.
ALTER TABLE claim_settings NO FORCE ROW LEVEL SECURITY;
INSERT INTO workspace_settings (tenant_id, section, value, updated_at)
SELECT c.tenant_id, 'claims', jsonb_build_object('source_type', c.source_type, 'criteria_set', c.criteria_set,
                                                 'relation_field', c.relation_field), c.updated_at
FROM claim_settings c;
DROP TABLE claim_settings;
SELECT make_tenant_table('workspace_settings');
