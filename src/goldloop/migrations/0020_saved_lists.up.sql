-- Lists of records that people keep under a name, and which fields of a type each of them has as columns.
CREATE TABLE saved_lists (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    entity_type_slug text,
    query jsonb NOT NULL CHECK (jsonb_typeof(query) = 'object'),
    shared boolean NOT NULL DEFAULT false,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    created_by_kind text NOT NULL CHECK (created_by_kind IN ('user', 'agent', 'system')),
    created_by_id uuid,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, entity_type_slug) REFERENCES entity_types (tenant_id, slug) ON DELETE CASCADE
);
SELECT make_tenant_table('saved_lists');
CREATE INDEX saved_lists_shared ON saved_lists (tenant_id, name, id) WHERE shared;
CREATE INDEX saved_lists_own ON saved_lists (tenant_id, created_by_kind, created_by_id, name, id) WHERE NOT shared;
CREATE INDEX saved_lists_type ON saved_lists (tenant_id, entity_type_slug);

CREATE TABLE list_columns (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    party_kind text NOT NULL CHECK (party_kind IN ('user', 'agent')),
    party_id uuid NOT NULL,
    entity_type_slug text NOT NULL,
    columns text[] NOT NULL CHECK (cardinality(columns) <= 20),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, party_kind, party_id, entity_type_slug),
    FOREIGN KEY (tenant_id, entity_type_slug) REFERENCES entity_types (tenant_id, slug) ON DELETE CASCADE
);
SELECT make_tenant_table('list_columns');
CREATE INDEX list_columns_type ON list_columns (tenant_id, entity_type_slug);
