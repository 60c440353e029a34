-- Runs of agents, here and elsewhere, and what happened in them. Events are added and never changed: nobody is granted more.
CREATE TABLE sessions (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    external_id text CHECK (length(external_id) BETWEEN 1 AND 200),
    type text NOT NULL CHECK (type IN ('agent', 'chat', 'response', 'tool', 'mixed')),
    status text NOT NULL CHECK (status IN ('queued', 'running', 'waiting', 'stalled', 'completed', 'failed', 'cancelled')),
    source text NOT NULL CHECK (source IN ('run', 'client', 'otlp')),
    agent text,
    agent_id uuid,
    agent_version integer,
    entity_id uuid,
    task_id uuid,
    parent_session_id uuid,
    project text,
    conversation_id text,
    input jsonb NOT NULL DEFAULT '{}',
    output jsonb,
    error_code text,
    error_message text,
    first_message text NOT NULL DEFAULT '',
    last_seq integer NOT NULL DEFAULT 0,
    requests integer NOT NULL DEFAULT 0,
    tool_calls integer NOT NULL DEFAULT 0,
    input_tokens bigint NOT NULL DEFAULT 0,
    output_tokens bigint NOT NULL DEFAULT 0,
    cost double precision,
    metadata jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object'),
    created_at timestamptz NOT NULL,
    started_at timestamptz,
    last_at timestamptz NOT NULL,
    ended_at timestamptz,
    created_by_kind text NOT NULL CHECK (created_by_kind IN ('user', 'agent', 'system')),
    created_by_id uuid,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, external_id)
);
CREATE INDEX sessions_newest ON sessions (tenant_id, created_at, id);
CREATE INDEX sessions_status ON sessions (tenant_id, status, created_at, id);
CREATE INDEX sessions_agent ON sessions (tenant_id, agent_id, created_at, id) WHERE agent_id IS NOT NULL;
CREATE INDEX sessions_entity ON sessions (tenant_id, entity_id, created_at, id) WHERE entity_id IS NOT NULL;
CREATE INDEX sessions_task ON sessions (tenant_id, task_id, created_at, id) WHERE task_id IS NOT NULL;
CREATE INDEX sessions_parent ON sessions (tenant_id, parent_session_id, created_at, id) WHERE parent_session_id IS NOT NULL;
CREATE INDEX sessions_conversation ON sessions (tenant_id, project, conversation_id, created_at, id)
    WHERE conversation_id IS NOT NULL;
CREATE INDEX sessions_golden ON sessions (tenant_id, created_at, id) WHERE metadata ? 'golden';
SELECT make_tenant_table('sessions', 'SELECT, INSERT, UPDATE');

CREATE TABLE session_events (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    seq integer NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL CHECK (length(type) BETWEEN 1 AND 100),
    at timestamptz NOT NULL,
    payload jsonb NOT NULL CHECK (jsonb_typeof(payload) = 'object'),
    blob text,  -- where the whole payload is, of which this one is a preview
    PRIMARY KEY (tenant_id, session_id, seq),
    UNIQUE (tenant_id, session_id, id),
    FOREIGN KEY (tenant_id, session_id) REFERENCES sessions (tenant_id, id) ON DELETE CASCADE
);
SELECT make_tenant_table('session_events', 'SELECT, INSERT');

CREATE TABLE session_words (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    word text NOT NULL,
    PRIMARY KEY (tenant_id, session_id, word),
    FOREIGN KEY (tenant_id, session_id) REFERENCES sessions (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX session_words_word ON session_words (tenant_id, word, session_id);
SELECT make_tenant_table('session_words', 'SELECT, INSERT, DELETE');
