-- Runs of artifact evals have a table of their own again.
ALTER TABLE runs NO FORCE ROW LEVEL SECURITY;
ALTER TABLE artifact_eval_runs NO FORCE ROW LEVEL SECURITY;
ALTER TABLE artifact_eval_results NO FORCE ROW LEVEL SECURITY;
CREATE TEMPORARY TABLE kept ON COMMIT DROP AS
SELECT r.tenant_id, r.id, r.subject, a.entity_type, a.rubric_version, r.status, r.total, r.done, a.passed, a.summary,
       (r.resume_point #>> '{}')::uuid AS scored_to, a.results_kept, r.error_message, r.job_id, r.created_at, r.started_at,
       r.ended_at, r.created_by_kind, r.created_by_id
FROM runs r JOIN artifact_eval_runs a ON a.tenant_id = r.tenant_id AND a.id = r.id;
ALTER TABLE artifact_eval_results DROP CONSTRAINT artifact_eval_results_tenant_id_run_id_fkey;
DROP TABLE artifact_eval_runs;
DROP TABLE runs;
CREATE TABLE artifact_eval_runs (
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
    scored_to uuid NOT NULL,
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
INSERT INTO artifact_eval_runs (tenant_id, id, suite, entity_type, rubric_version, status, total, done, passed, summary,
                                scored_to, results_kept, error, job_id, created_at, started_at, finished_at,
                                created_by_kind, created_by_id)
SELECT tenant_id, id, subject, entity_type, rubric_version, status, total, done, passed, summary, scored_to, results_kept,
       error_message, job_id, created_at, started_at, ended_at, created_by_kind, created_by_id
FROM kept;
CREATE INDEX artifact_eval_runs_newest ON artifact_eval_runs (tenant_id, suite, created_at, id);
CREATE UNIQUE INDEX artifact_eval_runs_open ON artifact_eval_runs (tenant_id, suite)
    WHERE status IN ('queued', 'running');
SELECT make_tenant_table('artifact_eval_runs');
ALTER TABLE artifact_eval_results ADD CONSTRAINT artifact_eval_results_tenant_id_run_id_fkey
    FOREIGN KEY (tenant_id, run_id) REFERENCES artifact_eval_runs (tenant_id, id) ON DELETE CASCADE;
ALTER TABLE artifact_eval_results FORCE ROW LEVEL SECURITY;
