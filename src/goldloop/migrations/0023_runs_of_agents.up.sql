-- Sessions that run here: whoever works on one has a claim, what is to become of its result has a purpose, and one may wait
-- for a person. Agents that every workspace has.
ALTER TABLE agents ADD COLUMN is_system boolean NOT NULL DEFAULT false;

ALTER TABLE sessions
    ADD COLUMN purpose text NOT NULL DEFAULT 'prompt' CHECK (length(purpose) BETWEEN 1 AND 63),
    ADD COLUMN claim integer NOT NULL DEFAULT 0,
    ADD COLUMN question jsonb,
    ADD COLUMN dismissed_at timestamptz,
    ADD COLUMN heard_at timestamptz NOT NULL DEFAULT now();  -- by this clock, whatever times its events have
-- The turns of a session.
CREATE INDEX conv_turns_session ON conv_turns (tenant_id, session_id, ts, seq) WHERE session_id IS NOT NULL;
-- What of them waits for a person.
CREATE INDEX sessions_attention ON sessions (tenant_id, status, created_at, id)
    WHERE status IN ('waiting', 'stalled', 'failed') AND dismissed_at IS NULL;
CREATE INDEX sessions_type ON sessions (tenant_id, type, created_at, id);
CREATE INDEX sessions_source ON sessions (tenant_id, source, created_at, id);
