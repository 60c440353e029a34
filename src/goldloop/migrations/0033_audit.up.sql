-- By which key and from where a fact was made true, and in which request; all null for what jobs and commands did.
ALTER TABLE events ADD COLUMN key_id uuid;
ALTER TABLE events ADD COLUMN address text CHECK (length(address) <= 100);
ALTER TABLE events ADD COLUMN request_id text CHECK (length(request_id) <= 100);

-- What the log is searched by: who, what, about what, with which key; each newest first.
DROP INDEX events_recent;
CREATE INDEX events_recent ON events (tenant_id, created_at, id);
CREATE INDEX events_actor ON events (tenant_id, actor_kind, actor_id, created_at, id);
CREATE INDEX events_name ON events (tenant_id, name, created_at, id);
CREATE INDEX events_subject ON events (tenant_id, subject_id, created_at, id);
CREATE INDEX events_key ON events (tenant_id, key_id, created_at, id) WHERE key_id IS NOT NULL;
