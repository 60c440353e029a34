-- Scoring a workspace's records with a knowledge suite: a run, and what it found about each record.
CREATE TABLE knowledge_runs (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    suite text NOT NULL CHECK (length(suite) BETWEEN 1 AND 200),
    entity_type text NOT NULL,
    rubric_version text NOT NULL,
    status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'done', 'failed', 'cancelled')),
    total integer NOT NULL,
    done integer NOT NULL DEFAULT 0,
    passed integer NOT NULL DEFAULT 0,
    summary jsonb NOT NULL,
    scored_to uuid NOT NULL,  -- the last record that is scored: where a worker continues after another died
    results_kept boolean NOT NULL DEFAULT true,
    error text,
    job_id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    started_at timestamptz,
    finished_at timestamptz,
    created_by_kind text NOT NULL CHECK (created_by_kind IN ('user', 'agent', 'system')),
    created_by_id uuid,
    PRIMARY KEY (tenant_id, id)
);
CREATE INDEX knowledge_runs_newest ON knowledge_runs (tenant_id, suite, created_at, id);
-- One run of a suite at a time.
CREATE UNIQUE INDEX knowledge_runs_open ON knowledge_runs (tenant_id, suite) WHERE status IN ('queued', 'running');
SELECT make_tenant_table('knowledge_runs');

CREATE TABLE knowledge_results (
    tenant_id uuid NOT NULL,
    run_id uuid NOT NULL,
    entity_id uuid NOT NULL,
    overall double precision,
    urgency double precision NOT NULL,  -- how important the worst gap is: above 0 unless the record passes
    scores jsonb NOT NULL,
    gaps jsonb NOT NULL,
    PRIMARY KEY (tenant_id, run_id, entity_id),
    FOREIGN KEY (tenant_id, run_id) REFERENCES knowledge_runs (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, entity_id) REFERENCES entities (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX knowledge_results_urgent ON knowledge_results (tenant_id, run_id, urgency, entity_id);
CREATE INDEX knowledge_results_entity ON knowledge_results (tenant_id, entity_id);
SELECT make_tenant_table('knowledge_results');

-- The dimensions that a record fails, so that the list of one dimension is a range of an index too.
CREATE TABLE knowledge_failures (
    tenant_id uuid NOT NULL,
    run_id uuid NOT NULL,
    entity_id uuid NOT NULL,
    dimension text NOT NULL,
    urgency double precision NOT NULL,
    PRIMARY KEY (tenant_id, run_id, entity_id, dimension),
    FOREIGN KEY (tenant_id, run_id, entity_id) REFERENCES knowledge_results (tenant_id, run_id, entity_id)
        ON DELETE CASCADE
);
CREATE INDEX knowledge_failures_urgent ON knowledge_failures (tenant_id, run_id, dimension, urgency, entity_id);
SELECT make_tenant_table('knowledge_failures');
