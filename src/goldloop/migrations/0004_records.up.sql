-- The canonical graph: what is accepted to be true, and where each value came from.
CREATE TABLE entity_types (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    slug text NOT NULL CHECK (slug ~ '^[a-z0-9][a-z0-9_-]{0,62}$'),
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    json_schema json NOT NULL,  -- not jsonb, which would lose the order of the fields
    field_configs json NOT NULL DEFAULT '{}',
    config jsonb NOT NULL DEFAULT '{}',
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    created_by_kind text NOT NULL CHECK (created_by_kind IN ('user', 'agent', 'system')),
    created_by_id uuid,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, slug)
);
SELECT make_tenant_table('entity_types');

CREATE TABLE entities (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    type_id uuid NOT NULL,
    title text COLLATE "C" NOT NULL CHECK (length(title) BETWEEN 1 AND 500),  -- in the same order everywhere
    content jsonb NOT NULL DEFAULT '{}',
    metadata jsonb NOT NULL DEFAULT '{}',
    version integer NOT NULL DEFAULT 1,
    -- The one definition of a record's score, for sorting, filtering and showing: `entities/scores.py` says the same.
    score double precision GENERATED ALWAYS AS (
        CASE
            WHEN coalesce(jsonb_typeof(metadata -> 'response_summary'), 'null') <> 'null' THEN
                CASE WHEN jsonb_typeof(metadata #> '{response_summary,latest_score}') = 'number'
                      AND (metadata #> '{response_summary,latest_score}')::numeric BETWEEN 0 AND 100
                     THEN (metadata #> '{response_summary,latest_score}')::double precision END
            WHEN jsonb_typeof(metadata -> 'weighted_score') = 'number'
             AND (metadata -> 'weighted_score')::numeric BETWEEN 1 AND 10
                THEN ((metadata -> 'weighted_score')::double precision - 1) / 9 * 100
        END
    ) STORED,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    created_by_kind text NOT NULL CHECK (created_by_kind IN ('user', 'agent', 'system')),
    created_by_id uuid,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, type_id) REFERENCES entity_types (tenant_id, id)
);
-- One index per order that a list can have, within a type and over all of them.
CREATE INDEX entities_type ON entities (tenant_id, type_id, id);
CREATE INDEX entities_title ON entities (tenant_id, title, id);
CREATE INDEX entities_type_title ON entities (tenant_id, type_id, title, id);
CREATE INDEX entities_updated ON entities (tenant_id, updated_at, id);
CREATE INDEX entities_type_updated ON entities (tenant_id, type_id, updated_at, id);
CREATE INDEX entities_score_down ON entities (tenant_id, (coalesce(score, '-Infinity')), id);
CREATE INDEX entities_type_score_down ON entities (tenant_id, type_id, (coalesce(score, '-Infinity')), id);
CREATE INDEX entities_score_up ON entities (tenant_id, (coalesce(score, 'Infinity')), id);
CREATE INDEX entities_type_score_up ON entities (tenant_id, type_id, (coalesce(score, 'Infinity')), id);
SELECT make_tenant_table('entities');

-- The words of a record's title, for search. An own index of words, because under row-level security
-- PostgreSQL uses an index only for comparisons that cannot leak, and full-text matching is not one.
CREATE TABLE entity_words (
    tenant_id uuid NOT NULL,
    word text COLLATE "C" NOT NULL,  -- so that the words with a beginning are one range
    entity_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, word, entity_id),
    FOREIGN KEY (tenant_id, entity_id) REFERENCES entities (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX entity_words_entity ON entity_words (tenant_id, entity_id);
SELECT make_tenant_table('entity_words');

CREATE TABLE entity_relations (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    source_id uuid NOT NULL,
    field_key text NOT NULL,
    target_id uuid NOT NULL,
    metadata jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    created_by_kind text NOT NULL CHECK (created_by_kind IN ('user', 'agent', 'system')),
    created_by_id uuid,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, source_id, field_key, target_id),
    FOREIGN KEY (tenant_id, source_id) REFERENCES entities (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, target_id) REFERENCES entities (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX entity_relations_target ON entity_relations (tenant_id, target_id, field_key);
SELECT make_tenant_table('entity_relations');

-- How values are proposed.
CREATE TABLE criteria_sets (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    slug text NOT NULL CHECK (slug ~ '^[a-z0-9][a-z0-9_-]{0,119}$'),
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    description text NOT NULL DEFAULT '',
    kind text NOT NULL CHECK (kind IN ('record', 'assessment', 'temporal')),
    dimensions jsonb NOT NULL,
    entity_type_slugs text[],
    is_default boolean NOT NULL DEFAULT false,
    temporal_key text,
    display_type text,
    display_config jsonb,
    scope jsonb,
    version integer NOT NULL DEFAULT 1,
    entity_type_version integer,  -- of a default set: the version of the type that it was made from
    archived_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    created_by_kind text NOT NULL CHECK (created_by_kind IN ('user', 'agent', 'system')),
    created_by_id uuid,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, slug)
);
SELECT make_tenant_table('criteria_sets');

-- Who proposed what, when, with which evidence. Values, snapshot and scores never change.
CREATE TABLE entity_responses (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    entity_id uuid NOT NULL,
    criteria_set_id uuid NOT NULL,
    criteria_snapshot jsonb NOT NULL,
    submitted_by_user uuid,
    submitted_by_agent uuid,
    source text NOT NULL CHECK (source IN ('extraction', 'manual', 'workshop', 'optimization', 'feedback')),
    values jsonb NOT NULL,
    field_meta jsonb NOT NULL DEFAULT '{}',
    weighted_score double precision,
    normalized_score double precision,
    status text NOT NULL DEFAULT 'submitted'
        CHECK (status IN ('submitted', 'partially_promoted', 'promoted', 'superseded', 'rejected')),
    promotable_fields text[] NOT NULL,  -- the filled dimensions that lead to a field of the record
    promoted_fields text[] NOT NULL DEFAULT '{}',
    reviewed_by uuid,
    reviewed_by_kind text CHECK (reviewed_by_kind IN ('user', 'agent', 'system')),
    reviewed_at timestamptz,
    review_notes text,
    parent_response_id uuid,
    temporal_value text,
    notes text,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    withdrawn_at timestamptz,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, entity_id) REFERENCES entities (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, criteria_set_id) REFERENCES criteria_sets (tenant_id, id) ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, parent_response_id) REFERENCES entity_responses (tenant_id, id)
);
CREATE INDEX entity_responses_entity ON entity_responses (tenant_id, entity_id, criteria_set_id, id)
    WHERE withdrawn_at IS NULL;
CREATE INDEX entity_responses_newest ON entity_responses (tenant_id, entity_id, id) WHERE withdrawn_at IS NULL;
CREATE INDEX entity_responses_set ON entity_responses (tenant_id, criteria_set_id, id) WHERE withdrawn_at IS NULL;
CREATE INDEX entity_responses_parent ON entity_responses (tenant_id, parent_response_id)
    WHERE parent_response_id IS NOT NULL;
SELECT make_tenant_table('entity_responses');

-- Every change of a content field: what it was, what it became, by whom and from where. Append-only.
CREATE TABLE entity_field_history (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    entity_id uuid NOT NULL,
    field text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('edit', 'promotion', 'undo', 'aggregate')),
    value jsonb,         -- null where the field was removed
    value_before jsonb,  -- null where the field was not there
    response_id uuid,
    dimension_key text,
    undoes_id uuid,      -- of an undo: the promotion that it takes back
    prior_source_id uuid, -- the entry that was the field's source before this one
    entity_version integer NOT NULL,
    actor_kind text NOT NULL CHECK (actor_kind IN ('user', 'agent', 'system')),
    actor_id uuid,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, entity_id) REFERENCES entities (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, response_id) REFERENCES entity_responses (tenant_id, id)
);
CREATE UNIQUE INDEX entity_field_history_field ON entity_field_history (tenant_id, entity_id, field, entity_version);
CREATE INDEX entity_field_history_response ON entity_field_history (tenant_id, response_id) WHERE response_id IS NOT NULL;
SELECT make_tenant_table('entity_field_history', 'SELECT, INSERT');

-- The entry of the history that each field's present value comes from.
CREATE TABLE entity_field_sources (
    tenant_id uuid NOT NULL,
    entity_id uuid NOT NULL,
    field text NOT NULL,
    history_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, entity_id, field),
    FOREIGN KEY (tenant_id, entity_id) REFERENCES entities (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, history_id) REFERENCES entity_field_history (tenant_id, id) ON DELETE CASCADE
);
SELECT make_tenant_table('entity_field_sources');

-- How records are laid out. Presentation only.
CREATE TABLE views (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    slug text NOT NULL CHECK (slug ~ '^[a-z0-9][a-z0-9_-]{0,62}$'),
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    entity_type_slug text,
    blocks jsonb NOT NULL,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    created_by_kind text NOT NULL CHECK (created_by_kind IN ('user', 'agent', 'system')),
    created_by_id uuid,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, slug),
    FOREIGN KEY (tenant_id, entity_type_slug) REFERENCES entity_types (tenant_id, slug) ON DELETE CASCADE
);
SELECT make_tenant_table('views');
