-- The audit log is narrowed by a network address along an index.
CREATE INDEX events_address ON events (tenant_id, address, created_at, id) WHERE address IS NOT NULL;

-- Of a receiver's address the log tells the scheme and the host: the rest may be its secret. Row-level
-- security binds the owner too, who has to see all workspaces here.
ALTER TABLE events NO FORCE ROW LEVEL SECURITY;
UPDATE events SET payload = payload || jsonb_build_object('url', substring(payload ->> 'url' FROM '^[a-z]+://[^/?#]*'))
WHERE name IN ('webhook.created', 'webhook.changed', 'webhook.removed', 'webhook.switched_off') AND payload ? 'url';
ALTER TABLE events FORCE ROW LEVEL SECURITY;
