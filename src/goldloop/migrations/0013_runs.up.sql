-- A run is work that takes a while, of whatever kind: what it is of, how far it is, and how it ended. What a kind of run
-- has besides stands in a table of its own, under the same id.
CREATE TABLE runs (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    kind text NOT NULL CHECK (length(kind) BETWEEN 1 AND 200),
    subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 200),
    exclusive boolean NOT NULL,  -- one open run of the subject at a time
    status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'done', 'failed', 'cancelled')),
    job_id uuid,
    resume_point jsonb,  -- where a worker goes on after another died
    done integer NOT NULL DEFAULT 0,
    total integer NOT NULL,
    cancel_requested boolean NOT NULL DEFAULT false,
    error_code text,
    error_message text,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    started_at timestamptz,
    ended_at timestamptz,
    created_by_kind text NOT NULL CHECK (created_by_kind IN ('user', 'agent', 'system')),
    created_by_id uuid,
    PRIMARY KEY (tenant_id, id)
);
CREATE INDEX runs_newest ON runs (tenant_id, kind, subject, created_at, id);
CREATE UNIQUE INDEX runs_open ON runs (tenant_id, kind, subject) WHERE exclusive AND status IN ('queued', 'running');
CREATE INDEX runs_job ON runs (tenant_id, job_id);

-- Row-level security binds the owner too, who has to see all workspaces here.
ALTER TABLE artifact_eval_runs NO FORCE ROW LEVEL SECURITY;
ALTER TABLE entity_types NO FORCE ROW LEVEL SECURITY;
ALTER TABLE criteria_sets NO FORCE ROW LEVEL SECURITY;
INSERT INTO runs (tenant_id, id, kind, subject, exclusive, status, job_id, resume_point, done, total, error_code,
                  error_message, created_at, started_at, ended_at, created_by_kind, created_by_id)
SELECT a.tenant_id, a.id, 'artifact_eval', a.suite, true, a.status, a.job_id, to_jsonb(a.scored_to), a.done, a.total,
       CASE WHEN a.status = 'failed' THEN 'run_failed' END, a.error, a.created_at, a.started_at, a.finished_at,
       a.created_by_kind, a.created_by_id
FROM artifact_eval_runs a;

-- Runs used to end when somebody looked at them: those whose job is over end here.
UPDATE runs r SET status = CASE WHEN j.status IN ('cancelled', 'aborted') THEN 'cancelled' ELSE 'failed' END,
    error_code = CASE WHEN j.status IN ('cancelled', 'aborted') THEN NULL ELSE 'job_ended' END,
    error_message = CASE WHEN j.status IN ('cancelled', 'aborted') THEN NULL
                         ELSE 'The run was given up: its job ended before it did' END,
    ended_at = now()
FROM runs o LEFT JOIN procrastinate.procrastinate_jobs j ON j.args ? 'id' AND j.args ->> 'id' = o.job_id::text
WHERE o.tenant_id = r.tenant_id AND o.id = r.id AND r.status IN ('queued', 'running')
  AND (j.status IS NULL OR j.status NOT IN ('todo', 'doing'));

ALTER TABLE artifact_eval_runs DROP COLUMN suite, DROP COLUMN status, DROP COLUMN total, DROP COLUMN done,
    DROP COLUMN scored_to, DROP COLUMN error, DROP COLUMN job_id, DROP COLUMN created_at, DROP COLUMN started_at,
    DROP COLUMN finished_at, DROP COLUMN created_by_kind, DROP COLUMN created_by_id,
    DROP CONSTRAINT artifact_eval_runs_tenant_id_fkey,
    ADD CONSTRAINT artifact_eval_runs_run FOREIGN KEY (tenant_id, id) REFERENCES runs (tenant_id, id) ON DELETE CASCADE;

-- Default criteria sets used to be made when somebody read them: a worker makes those that are not there, or not of
-- their type's version.
SET LOCAL search_path = procrastinate, public;  -- its triggers look there
INSERT INTO procrastinate_jobs (queue_name, task_name, priority, args)
SELECT 'default', 'criteria.sync_default', 0,
       jsonb_build_object('id', gen_random_uuid(), 'tenant_id', t.tenant_id, 'actor', 'system:', 'max_attempts', 9,
                          'payload', jsonb_build_object('slug', t.slug))
FROM entity_types t
WHERE NOT EXISTS (SELECT FROM criteria_sets c
                  WHERE c.tenant_id = t.tenant_id AND c.slug = 'default-' || t.slug
                    AND c.entity_type_version = t.version AND c.updated_at >= t.created_at);
SET LOCAL search_path = public;
ALTER TABLE artifact_eval_runs FORCE ROW LEVEL SECURITY;
ALTER TABLE entity_types FORCE ROW LEVEL SECURITY;
ALTER TABLE criteria_sets FORCE ROW LEVEL SECURITY;
SELECT make_tenant_table('runs');
