-- Jobs: procrastinate's own tables in their own schema, reached only through our functions.
CREATE SCHEMA procrastinate;
SET LOCAL search_path = procrastinate;
-- include procrastinate:sql/schema.sql sha256:c70ec4b400a60ad9592787653aae5ae77ae41bf801d56b5bd2712751a07f2009
CREATE UNIQUE INDEX jobs_by_id ON procrastinate_jobs ((args ->> 'id')) WHERE args ? 'id';
CREATE INDEX jobs_by_tenant ON procrastinate_jobs ((args ->> 'tenant_id'), (args ->> 'id')) WHERE args ? 'id';
CREATE INDEX jobs_by_status ON procrastinate_jobs ((args ->> 'tenant_id'), status, (args ->> 'id')) WHERE args ? 'id';

-- Why a run failed: procrastinate keeps that it did, not why.
CREATE TABLE job_failures (
    job_id bigint NOT NULL REFERENCES procrastinate_jobs (id) ON DELETE CASCADE,
    attempt integer NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    type text NOT NULL,
    message text NOT NULL,
    detail text NOT NULL,
    PRIMARY KEY (job_id, attempt)
);
GRANT USAGE ON SCHEMA procrastinate TO goldloop_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA procrastinate TO goldloop_worker;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA procrastinate TO goldloop_worker;
SET LOCAL search_path = public;

-- Marks: derived state to rebuild. Ids only; the worker's role alone sees those of every tenant. A key may
-- have several rows for a moment: a writer that finds its row in a worker's hands adds one and never waits.
CREATE TABLE marks (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    kind text NOT NULL,
    key text NOT NULL,
    marked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    leased_until timestamptz,
    attempts integer NOT NULL DEFAULT 0,
    last_error text,
    PRIMARY KEY (tenant_id, id)
);
CREATE INDEX marks_key ON marks (tenant_id, kind, key);
CREATE INDEX marks_due ON marks (kind, tenant_id, due_at);
CREATE INDEX marks_leased ON marks (kind, leased_until) WHERE leased_until IS NOT NULL;
SELECT make_tenant_table('marks');
CREATE POLICY worker_finds_work ON marks TO goldloop_worker USING (true);
