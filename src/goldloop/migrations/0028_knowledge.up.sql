-- What was learnt from feedback, what it rests on, and which prompts held it.
CREATE TABLE shared_context (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    type text NOT NULL CHECK (type IN ('correction', 'lesson', 'routing', 'insight', 'guideline')),
    content text NOT NULL CHECK (length(content) BETWEEN 1 AND 2000),
    context text CHECK (length(context) BETWEEN 1 AND 500),
    agent_id uuid,
    entity_type_id uuid,
    -- What people decided; the state follows from it and from what supports the row.
    decided text NOT NULL CHECK (decided IN ('proposed', 'shadow', 'active', 'retired', 'rejected')),
    standing text NOT NULL CHECK (standing IN ('person', 'support')),
    pinned boolean NOT NULL DEFAULT false,
    wording boolean NOT NULL,  -- whether a person has put it into words
    read_at timestamptz,  -- when a person last looked at what it rests on
    erased_at timestamptz,  -- when feedback that it rested on was erased last
    state text NOT NULL CHECK (state IN ('proposed', 'shadow', 'active', 'retired', 'rejected')),
    active boolean NOT NULL GENERATED ALWAYS AS (state = 'active') STORED,
    flags text[] NOT NULL DEFAULT '{}',
    waits boolean NOT NULL GENERATED ALWAYS AS (state = 'proposed' OR cardinality(flags) > 0) STORED,
    origins integer NOT NULL DEFAULT 0,
    confirmations integer NOT NULL DEFAULT 0,
    last_confirmed_at timestamptz NOT NULL,
    value jsonb,  -- what it was measured to change; null: nobody has
    value_z double precision,
    rank double precision NOT NULL,
    rank_stale boolean NOT NULL DEFAULT false,
    scope_agent uuid NOT NULL GENERATED ALWAYS AS (coalesce(agent_id, '00000000-0000-0000-0000-000000000000'::uuid)) STORED,
    scope_type uuid NOT NULL GENERATED ALWAYS AS (coalesce(entity_type_id, '00000000-0000-0000-0000-000000000000'::uuid)) STORED,
    tokens integer NOT NULL,
    embedding real[],
    embedding_model text,
    source_feedback_id uuid,
    group_id uuid,
    created_by_agent_id uuid,
    created_by_user_id uuid,
    created_by_kind text NOT NULL CHECK (created_by_kind IN ('user', 'agent', 'system')),
    conflicts_with uuid[] NOT NULL DEFAULT '{}',  -- rows that whoever wrote it says it contradicts
    metadata jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object'),
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, entity_type_id) REFERENCES entity_types (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, source_feedback_id) REFERENCES feedback (tenant_id, id) ON DELETE SET NULL (source_feedback_id)
);
CREATE INDEX shared_context_prompt ON shared_context (tenant_id, scope_agent, scope_type, type, rank DESC, id) WHERE active;
CREATE INDEX shared_context_shadow ON shared_context (tenant_id, scope_agent, scope_type) WHERE state = 'shadow';
CREATE INDEX shared_context_newest ON shared_context (tenant_id, created_at, id);
CREATE INDEX shared_context_type ON shared_context (tenant_id, type, created_at, id);
CREATE INDEX shared_context_state ON shared_context (tenant_id, state, created_at, id);
CREATE INDEX shared_context_type_state ON shared_context (tenant_id, type, state, created_at, id);
CREATE INDEX shared_context_waits ON shared_context (tenant_id, created_at, id) WHERE waits;
CREATE INDEX shared_context_agent ON shared_context (tenant_id, agent_id, created_at, id) WHERE agent_id IS NOT NULL;
CREATE INDEX shared_context_entity_type ON shared_context (tenant_id, entity_type_id, created_at, id) WHERE entity_type_id IS NOT NULL;
CREATE INDEX shared_context_everywhere ON shared_context (tenant_id, created_at, id) WHERE agent_id IS NULL AND entity_type_id IS NULL;
CREATE INDEX shared_context_source ON shared_context (tenant_id, source_feedback_id) WHERE source_feedback_id IS NOT NULL;
CREATE INDEX shared_context_group ON shared_context (tenant_id, group_id, created_at, id) WHERE group_id IS NOT NULL;
CREATE INDEX shared_context_stale ON shared_context (tenant_id, id) WHERE rank_stale;
CREATE INDEX shared_context_unread ON shared_context (tenant_id, id) WHERE embedding_model IS NULL;
SELECT make_tenant_table('shared_context');

CREATE TABLE shared_context_words (
    tenant_id uuid NOT NULL,
    row_id uuid NOT NULL,
    word text COLLATE "C" NOT NULL,  -- so that the words with a beginning are one range
    PRIMARY KEY (tenant_id, row_id, word),
    FOREIGN KEY (tenant_id, row_id) REFERENCES shared_context (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX shared_context_words_word ON shared_context_words (tenant_id, word, row_id);
SELECT make_tenant_table('shared_context_words', 'SELECT, INSERT, DELETE');

-- The signals that a row rests on. Whose they are is copied: whoever takes one back need not be who may read the others.
CREATE TABLE shared_context_support (
    tenant_id uuid NOT NULL,
    row_id uuid NOT NULL,
    feedback_id uuid NOT NULL,
    group_id uuid,  -- the group that it came with; null where somebody named it
    origin_actor text,  -- null for what counts as nobody's signal
    origin_artefact text NOT NULL,
    is_reaction boolean NOT NULL,
    words text NOT NULL,  -- a hash of what was said, with names and numbers masked
    by_member boolean NOT NULL,
    flagged boolean NOT NULL,  -- by an administrator: enough by itself
    rating text NOT NULL,
    comment_hash text,  -- of its words as they were when they came to support the row; null without any
    echo boolean NOT NULL,
    medoid boolean NOT NULL,
    holds text[] NOT NULL,  -- the numbers and names of the row that the feedback has as well
    dismissed boolean NOT NULL,
    rated_anew boolean NOT NULL DEFAULT false,  -- whoever gave it thinks otherwise by now
    moved boolean NOT NULL DEFAULT false,  -- it is in none of the row's groups any more
    lost_at timestamptz,
    added_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, row_id, feedback_id),
    FOREIGN KEY (tenant_id, row_id) REFERENCES shared_context (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, feedback_id) REFERENCES feedback (tenant_id, id) ON DELETE CASCADE,
    CHECK ((dismissed OR rated_anew OR moved) = (lost_at IS NOT NULL))
);
CREATE INDEX shared_context_support_feedback ON shared_context_support (tenant_id, feedback_id, row_id);
CREATE INDEX shared_context_support_origin ON shared_context_support (tenant_id, origin_actor, origin_artefact, row_id);
SELECT make_tenant_table('shared_context_support');

-- Whoever gave feedback may think otherwise by now: they took it back, or gave other feedback in place of what was reviewed.
ALTER TABLE feedback ADD COLUMN withdrawn_at timestamptz, ADD COLUMN replaced_by uuid;
CREATE INDEX feedback_origin ON feedback (tenant_id, origin_actor, origin_artefact, created_at, id);
CREATE INDEX feedback_replaced ON feedback (tenant_id, replaced_by) WHERE replaced_by IS NOT NULL;

-- Groups of feedback that a row rests on besides the one that it was made of.
CREATE TABLE shared_context_groups (
    tenant_id uuid NOT NULL,
    row_id uuid NOT NULL,
    group_id uuid NOT NULL,
    added_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, row_id, group_id),
    FOREIGN KEY (tenant_id, row_id) REFERENCES shared_context (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX shared_context_groups_group ON shared_context_groups (tenant_id, group_id, row_id);
SELECT make_tenant_table('shared_context_groups', 'SELECT, INSERT, DELETE');
CREATE INDEX feedback_groups_merged ON feedback_groups (tenant_id, merged_into) WHERE merged_into IS NOT NULL;

-- What the review agent made of a group when it was asked last, and about which of its feedback.
CREATE TABLE feedback_group_reviews (
    tenant_id uuid NOT NULL,
    group_id uuid NOT NULL,
    verdict text,  -- null where it decided nothing
    reason text,
    asked uuid[] NOT NULL,
    session_id uuid NOT NULL,
    looked_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, group_id),
    FOREIGN KEY (tenant_id, group_id) REFERENCES feedback_groups (tenant_id, id) ON DELETE CASCADE
);
SELECT make_tenant_table('feedback_group_reviews', 'SELECT, INSERT, UPDATE');

-- What happened to rows. Entries are added and never changed, but for words that are erased.
CREATE TABLE shared_context_history (
    tenant_id uuid NOT NULL,
    row_id uuid NOT NULL,
    seq integer NOT NULL,
    id uuid NOT NULL,
    change text NOT NULL CHECK (change IN ('created', 'edited', 'approved', 'shadowed', 'retired', 'rejected', 'support', 'undone')),
    state_before text,
    state text NOT NULL,
    before jsonb,
    after jsonb NOT NULL,
    reason text CHECK (length(reason) <= 2000),
    evidence jsonb NOT NULL DEFAULT '{}',
    takes_back uuid,
    actor_kind text NOT NULL CHECK (actor_kind IN ('user', 'agent', 'system')),
    actor_id uuid,
    at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, row_id, seq),
    FOREIGN KEY (tenant_id, row_id) REFERENCES shared_context (tenant_id, id) ON DELETE CASCADE
);
SELECT make_tenant_table('shared_context_history', 'SELECT, INSERT, UPDATE (before, after)');

-- Rows that read alike and that somebody wants to keep both, the lower id first.
CREATE TABLE shared_context_kept (
    tenant_id uuid NOT NULL,
    row_id uuid NOT NULL,
    other_id uuid NOT NULL,
    kept_by_kind text NOT NULL CHECK (kept_by_kind IN ('user', 'agent', 'system')),
    kept_by_id uuid,
    kept_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, row_id, other_id),
    FOREIGN KEY (tenant_id, row_id) REFERENCES shared_context (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, other_id) REFERENCES shared_context (tenant_id, id) ON DELETE CASCADE,
    CHECK (row_id < other_id)
);
CREATE INDEX shared_context_kept_other ON shared_context_kept (tenant_id, other_id);
SELECT make_tenant_table('shared_context_kept', 'SELECT, INSERT, DELETE');

-- Counts the changes of what prompts hold; whoever changes it holds the row.
CREATE TABLE knowledge_versions (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    version bigint NOT NULL,
    PRIMARY KEY (tenant_id)
);
SELECT make_tenant_table('knowledge_versions', 'SELECT, INSERT, UPDATE');

-- What prompts held, once by content.
CREATE TABLE prompt_manifests (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    hash text NOT NULL CHECK (hash ~ '^[0-9a-f]{64}$'),
    row_ids uuid[] NOT NULL,
    row_hashes text[] NOT NULL,
    memory_ids uuid[] NOT NULL,
    body text NOT NULL,
    tokens integer NOT NULL,
    included jsonb NOT NULL,  -- why each row was in it, when it was made first
    left_out jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    last_had_at timestamptz NOT NULL,  -- when prompts of a scope last had it; later where they still do
    PRIMARY KEY (tenant_id, hash)
);
SELECT make_tenant_table('prompt_manifests', 'SELECT, INSERT, DELETE, UPDATE (last_had_at)');

CREATE TABLE prompt_manifest_rows (
    tenant_id uuid NOT NULL,
    row_id uuid NOT NULL,
    manifest text NOT NULL,
    PRIMARY KEY (tenant_id, row_id, manifest),
    FOREIGN KEY (tenant_id, manifest) REFERENCES prompt_manifests (tenant_id, hash) ON DELETE CASCADE
);
SELECT make_tenant_table('prompt_manifest_rows', 'SELECT, INSERT, DELETE');

-- The manifest that prompts of a scope have now: good as long as the workspace's knowledge has its version.
CREATE TABLE prompt_heads (
    tenant_id uuid NOT NULL,
    scope_agent uuid NOT NULL,
    scope_type uuid NOT NULL,
    version bigint NOT NULL,
    manifest text NOT NULL,
    included jsonb NOT NULL,
    left_out jsonb NOT NULL,
    PRIMARY KEY (tenant_id, scope_agent, scope_type),
    FOREIGN KEY (tenant_id, manifest) REFERENCES prompt_manifests (tenant_id, hash) ON DELETE CASCADE
);
SELECT make_tenant_table('prompt_heads');

-- Sessions that ended well and named a row of their prompt in what they said.
CREATE TABLE shared_context_citations (
    tenant_id uuid NOT NULL,
    row_id uuid NOT NULL,
    session_id uuid NOT NULL,
    cited_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, row_id, session_id),
    FOREIGN KEY (tenant_id, row_id) REFERENCES shared_context (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, session_id) REFERENCES sessions (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX shared_context_citations_session ON shared_context_citations (tenant_id, session_id);
SELECT make_tenant_table('shared_context_citations', 'SELECT, INSERT, DELETE');

-- What agents are to remember about a person. Nobody else sees it; a run in their name opens it (`app.memories`).
CREATE TABLE user_memories (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    content text NOT NULL CHECK (length(content) BETWEEN 1 AND 2000),
    created_by_kind text NOT NULL CHECK (created_by_kind IN ('user', 'agent', 'system')),
    created_by_id uuid,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id)
);
CREATE INDEX user_memories_newest ON user_memories (tenant_id, user_id, created_at, id);
SELECT make_tenant_table('user_memories', 'SELECT, INSERT, DELETE');
DO $$
DECLARE
    act text;
BEGIN
    FOREACH act IN ARRAY ARRAY['SELECT', 'DELETE'] LOOP
        EXECUTE format($policy$
            CREATE POLICY own_%s ON user_memories AS RESTRICTIVE FOR %s USING (
                user_id = nullif(current_setting('app.user_id', true), '')::uuid
                OR user_id = nullif(current_setting('app.memories', true), '')::uuid
            )$policy$, lower(act), act);
    END LOOP;
END $$;

ALTER TABLE sessions ADD COLUMN manifest text CHECK (manifest ~ '^[0-9a-f]{64}$');
CREATE INDEX sessions_manifest ON sessions (tenant_id, manifest, created_at, id) WHERE manifest IS NOT NULL;

-- The agent that reviews feedback, in workspaces that are there. It works where an administrator says so.
ALTER TABLE agents NO FORCE ROW LEVEL SECURITY;
ALTER TABLE parties NO FORCE ROW LEVEL SECURITY;
ALTER TABLE agent_versions NO FORCE ROW LEVEL SECURITY;
INSERT INTO agents (tenant_id, id, slug, name, description, is_system, created_by_kind)
SELECT t.id, gen_random_uuid(), 'feedback-review-agent', 'Feedback reviewer',
       'Looks through feedback that waits, dismisses what is noise and proposes what should be learnt', true, 'system'
FROM tenants t ON CONFLICT DO NOTHING;
INSERT INTO parties (tenant_id, kind, id, name)
SELECT a.tenant_id, 'agent', a.id, a.name FROM agents a WHERE a.is_system AND a.slug = 'feedback-review-agent'
ON CONFLICT DO NOTHING;
INSERT INTO agent_versions (tenant_id, agent_id, version, config, note, created_by_kind)
SELECT a.tenant_id, a.id, 1,
       '{"runtime": "built_in", "tool_groups": ["context", "entities-read", "agents-admin", "feedback-review"]}',
       'As every workspace has it', 'system'
FROM agents a WHERE a.is_system AND a.slug = 'feedback-review-agent' ON CONFLICT DO NOTHING;
ALTER TABLE agent_versions FORCE ROW LEVEL SECURITY;
ALTER TABLE parties FORCE ROW LEVEL SECURITY;
ALTER TABLE agents FORCE ROW LEVEL SECURITY;
