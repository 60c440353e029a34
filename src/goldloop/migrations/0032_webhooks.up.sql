-- Receivers of a workspace's events, what is sent to each of them, and every attempt to. A delivery names its event and
-- holds nothing of it: what is sent is made from the log.
CREATE TABLE webhook_endpoints (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    url text NOT NULL CHECK (length(url) BETWEEN 1 AND 2000),
    description text NOT NULL DEFAULT '' CHECK (length(description) <= 500),
    events text[] NOT NULL CHECK (cardinality(events) > 0),  -- names, or * for all
    enabled boolean NOT NULL DEFAULT true,
    switched_off text CHECK (switched_off IN ('failing', 'gone')),  -- by the server, and why
    switched_off_at timestamptz,
    secret bytea NOT NULL,
    previous_secret bytea,  -- signs as well until previous_until
    previous_until timestamptz,
    failures integer NOT NULL DEFAULT 0,  -- one after another, whatever was sent
    failing_since timestamptz,
    paused_until timestamptz,
    last_error text,
    last_success_at timestamptz,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    created_by_kind text NOT NULL CHECK (created_by_kind IN ('user', 'agent', 'system')),
    created_by_id uuid,
    PRIMARY KEY (tenant_id, id),
    CHECK (switched_off IS NULL OR NOT enabled)
);
SELECT make_tenant_table('webhook_endpoints');

CREATE TABLE webhook_deliveries (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    event_id uuid NOT NULL,
    name text NOT NULL,
    subject_id text NOT NULL,
    event_at timestamptz NOT NULL,
    status text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'delivered', 'failed')),
    attempts integer NOT NULL DEFAULT 0,
    step integer NOT NULL DEFAULT 0,  -- failures since it was queued, or queued again by hand
    first_at timestamptz,  -- of those
    next_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    ended_at timestamptz,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, endpoint_id, event_id),
    FOREIGN KEY (tenant_id, endpoint_id) REFERENCES webhook_endpoints (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, event_id) REFERENCES events (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (tenant_id, endpoint_id, next_at, event_at, event_id)
    WHERE status = 'waiting';
CREATE INDEX webhook_deliveries_subject ON webhook_deliveries (tenant_id, endpoint_id, subject_id, event_at, event_id)
    WHERE status = 'waiting';
CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (tenant_id, endpoint_id, created_at, id);
CREATE INDEX webhook_deliveries_status ON webhook_deliveries (tenant_id, endpoint_id, status, created_at, id);
CREATE INDEX webhook_deliveries_event ON webhook_deliveries (tenant_id, event_id);
CREATE INDEX webhook_deliveries_old ON webhook_deliveries (tenant_id, created_at);
SELECT make_tenant_table('webhook_deliveries');

CREATE TABLE webhook_attempts (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    delivery_id uuid NOT NULL,
    number integer NOT NULL,
    at timestamptz NOT NULL,
    milliseconds integer NOT NULL,
    status integer,
    error text,
    request_headers jsonb NOT NULL,
    answer_type text,
    answer text,
    PRIMARY KEY (tenant_id, delivery_id, number),
    FOREIGN KEY (tenant_id, delivery_id) REFERENCES webhook_deliveries (tenant_id, id) ON DELETE CASCADE
);
SELECT make_tenant_table('webhook_attempts');
