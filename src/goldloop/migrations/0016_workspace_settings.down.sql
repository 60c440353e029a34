-- Claims have a table of their own for their settings again.
CREATE TABLE claim_settings (
    tenant_id uuid PRIMARY KEY REFERENCES tenants (id) ON DELETE CASCADE,
    source_type text NOT NULL,
    criteria_set text NOT NULL,
    relation_field text NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE workspace_settings NO FORCE ROW LEVEL SECURITY;
INSERT INTO claim_settings (tenant_id, source_type, criteria_set, relation_field, updated_at)
SELECT w.tenant_id, w.value ->> 'source_type', w.value ->> 'criteria_set', w.value ->> 'relation_field', w.updated_at
FROM workspace_settings w WHERE w.section = 'claims';
DROP TABLE workspace_settings;
SELECT make_tenant_table('claim_settings');
