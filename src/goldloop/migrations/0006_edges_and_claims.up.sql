-- What a response rates beside its record: each connection through a relation field, as its criteria set said then.
ALTER TABLE entity_responses ADD COLUMN scope jsonb;

CREATE INDEX entity_relations_source ON entity_relations (tenant_id, source_id, id);
CREATE INDEX entity_relations_field ON entity_relations (tenant_id, source_id, field_key, id);

-- The scores in `entity_relations.metadata` once more, in a form that can be ranked. A cache, like those.
CREATE TABLE relation_scores (
    tenant_id uuid NOT NULL,
    relation_id uuid NOT NULL,
    criteria_set_id uuid NOT NULL,
    source_id uuid NOT NULL,
    field_key text NOT NULL,
    score double precision NOT NULL,  -- 0 to 100
    PRIMARY KEY (tenant_id, relation_id, criteria_set_id),
    FOREIGN KEY (tenant_id, relation_id) REFERENCES entity_relations (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, criteria_set_id) REFERENCES criteria_sets (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX relation_scores_ranked ON relation_scores (tenant_id, source_id, field_key, criteria_set_id, score, relation_id);
CREATE INDEX relation_scores_set ON relation_scores (tenant_id, criteria_set_id);
SELECT make_tenant_table('relation_scores');

-- Which records are sources and claims in a workspace that calls them otherwise than we do.
CREATE TABLE claim_settings (
    tenant_id uuid PRIMARY KEY REFERENCES tenants (id) ON DELETE CASCADE,
    source_type text NOT NULL,
    criteria_set text NOT NULL,
    relation_field text NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now()
);
SELECT make_tenant_table('claim_settings');
