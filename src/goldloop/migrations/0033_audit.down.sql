DROP INDEX events_key;
DROP INDEX events_subject;
DROP INDEX events_name;
DROP INDEX events_actor;
DROP INDEX events_recent;
CREATE INDEX events_recent ON events (tenant_id, created_at);
ALTER TABLE events DROP COLUMN request_id;
ALTER TABLE events DROP COLUMN address;
ALTER TABLE events DROP COLUMN key_id;
