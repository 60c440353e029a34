-- The event log: facts, written in the transaction that made them true, never changed.
CREATE TABLE events (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    name text NOT NULL,
    topic text NOT NULL,
    subject_id text NOT NULL,
    payload jsonb NOT NULL DEFAULT '{}',
    actor_kind text NOT NULL CHECK (actor_kind IN ('user', 'agent', 'system')),
    actor_id uuid,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (tenant_id, id)
);
CREATE INDEX events_recent ON events (tenant_id, created_at);
SELECT make_tenant_table('events', 'SELECT, INSERT');

-- Which tenants somebody is looking at right now, so that nobody else's writes pay for a notification.
CREATE TABLE live_watchers (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    watcher uuid NOT NULL,
    until timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, watcher)
);
SELECT make_tenant_table('live_watchers');
