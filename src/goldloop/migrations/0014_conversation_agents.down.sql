ALTER TABLE conv_turns DROP COLUMN agent_id;
ALTER TABLE conversations DROP COLUMN agent_id;
