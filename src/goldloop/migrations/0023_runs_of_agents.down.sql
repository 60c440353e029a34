-- Sessions that ran here stay as they are; one that waits or is queued was never finished.
DROP INDEX sessions_attention, sessions_type, sessions_source, conv_turns_session;
ALTER TABLE sessions DROP COLUMN purpose, DROP COLUMN claim, DROP COLUMN question, DROP COLUMN dismissed_at, DROP COLUMN heard_at;
ALTER TABLE agents DROP COLUMN is_system;
