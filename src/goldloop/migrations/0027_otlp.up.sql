-- What instrumented programs send by OpenTelemetry: bodies of requests as they came, which traces are in them, the session
-- that each trace became part of, and what each source tells and leaves out.
CREATE TABLE otel_batches (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id bytea NOT NULL,  -- the hash of the body: sending it again adds nothing
    received_at timestamptz NOT NULL,
    signal smallint NOT NULL CHECK (signal IN (1, 2)),  -- traces, logs
    encoding smallint NOT NULL CHECK (encoding BETWEEN 0 AND 7),  -- 1: JSON, else protobuf; 2: compressed; 4: packed
    spans integer NOT NULL,
    trace_ids bytea NOT NULL CHECK (length(trace_ids) % 16 = 0),  -- one after the other
    is_spread boolean NOT NULL DEFAULT false,  -- whether its traces have their rows and marks
    body bytea NOT NULL,
    PRIMARY KEY (tenant_id, id)
);
-- It is compressed already, by whoever sent it or by us.
ALTER TABLE otel_batches ALTER COLUMN body SET STORAGE EXTERNAL;
-- A small one stays in its row: a row elsewhere, with an index of its own, would cost more than the rest.
ALTER TABLE otel_batches SET (toast_tuple_target = 8160);
CREATE INDEX otel_batches_received ON otel_batches USING brin (received_at);  -- costs nothing where rows come in that order
CREATE INDEX otel_batches_unspread ON otel_batches (tenant_id, received_at) WHERE NOT is_spread;
SELECT make_tenant_table('otel_batches');

CREATE TABLE otel_trace_batches (
    tenant_id uuid NOT NULL,
    trace_id bytea NOT NULL,
    batch_id bytea NOT NULL,
    PRIMARY KEY (tenant_id, trace_id, batch_id),
    FOREIGN KEY (tenant_id, batch_id) REFERENCES otel_batches (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX otel_trace_batches_batch ON otel_trace_batches (tenant_id, batch_id);
SELECT make_tenant_table('otel_trace_batches', 'SELECT, INSERT, DELETE');

CREATE TABLE otel_traces (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    trace_id bytea NOT NULL,
    session_id uuid,  -- null where nothing in it is of an agent
    first_at timestamptz NOT NULL,  -- when spans came, by our clock
    last_at timestamptz NOT NULL,
    ended_at timestamptz,  -- of its root, by the clock of whoever sent it; null until that came
    error text,
    answer text,
    answer_span bytea,  -- that of the request that gave it
    has_turn boolean NOT NULL DEFAULT false,
    counts jsonb NOT NULL DEFAULT '[]',  -- what of it is in the counts of its sources
    PRIMARY KEY (tenant_id, trace_id)
);
CREATE INDEX otel_traces_session ON otel_traces (tenant_id, session_id, ended_at) WHERE session_id IS NOT NULL;
SELECT make_tenant_table('otel_traces');

CREATE TABLE otel_sources (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    service text NOT NULL CHECK (length(service) <= 200),
    scope text NOT NULL CHECK (length(scope) <= 200),
    sdk text NOT NULL CHECK (length(sdk) <= 200),
    spans bigint NOT NULL,
    requests bigint NOT NULL,
    with_content bigint NOT NULL,
    with_session bigint NOT NULL,
    with_user bigint NOT NULL,
    first_at timestamptz NOT NULL,
    last_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, service, scope, sdk)
);
SELECT make_tenant_table('otel_sources', 'SELECT, INSERT, UPDATE');
