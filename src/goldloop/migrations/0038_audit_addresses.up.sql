-- The audit log is narrowed by a network address along an index.
CREATE INDEX events_address ON events (tenant_id, address, created_at, id) WHERE address IS NOT NULL;

-- Of a receiver's address the log tells the scheme and the host: the rest may be its secret.
UPDATE events SET payload = payload || jsonb_build_object('url', substring(payload ->> 'url' FROM '^[a-z]+://[^/?#]*'))
WHERE name IN ('webhook.created', 'webhook.changed', 'webhook.removed', 'webhook.switched_off') AND payload ? 'url';
