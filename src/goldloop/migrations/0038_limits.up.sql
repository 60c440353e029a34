-- What a workspace may use: the limits of its keys (its own are settings), what processes have counted of its requests, what
-- its runs have used by day, and how much is stored.
CREATE TABLE key_limits (
    tenant_id uuid NOT NULL,
    key_id uuid NOT NULL,
    requests_per_minute integer NOT NULL CHECK (requests_per_minute > 0),
    PRIMARY KEY (tenant_id, key_id),
    FOREIGN KEY (tenant_id, key_id) REFERENCES api_keys (tenant_id, id) ON DELETE CASCADE
);
SELECT make_tenant_table('key_limits');

-- A process has one row for each workspace or key whose requests it counts, and writes no other.
CREATE TABLE request_counts (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    subject_id uuid NOT NULL,  -- of the workspace, or of a key
    process_id uuid NOT NULL,
    minute timestamptz NOT NULL,
    requests integer NOT NULL,
    PRIMARY KEY (tenant_id, subject_id, process_id)
);
SELECT make_tenant_table('request_counts');

-- Several rows a day, so that runs do not wait for each other.
CREATE TABLE run_usage (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    day date NOT NULL,  -- in UTC
    shard smallint NOT NULL,
    tokens bigint NOT NULL,
    cost double precision NOT NULL,  -- in US dollars
    PRIMARY KEY (tenant_id, day, shard)
);
SELECT make_tenant_table('run_usage');

CREATE TABLE storage_measures (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    row_bytes bigint NOT NULL,
    blob_bytes bigint NOT NULL,
    measured_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id)
);
SELECT make_tenant_table('storage_measures');
