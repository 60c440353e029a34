ALTER TABLE conv_messages NO FORCE ROW LEVEL SECURITY;
DELETE FROM conv_messages WHERE origin = 'machine' AND state = 'cleared';
UPDATE conv_messages
SET payload = jsonb_set(payload, '{meta,user_type}', to_jsonb(CASE
    WHEN origin = 'machine' THEN 'system' WHEN by_member THEN 'privileged' WHEN end_user = '' THEN 'anonymous'
    ELSE 'registered' END))
WHERE kind = 'turn.log.reaction' AND payload ? 'meta';
ALTER TABLE conv_messages FORCE ROW LEVEL SECURITY;
DROP INDEX conv_reactions_one_of_message;
CREATE UNIQUE INDEX conv_reactions_one_of_message
    ON conv_messages (tenant_id, project, source_conversation_id, source_turn_id) WHERE origin = 'machine';
DROP INDEX conv_reactions_of_members;
DROP INDEX conv_reactions_counted;
CREATE INDEX conv_reactions_counted ON conv_messages (tenant_id, ts) INCLUDE (project, agent, origin, reaction)
    WHERE counted_from IS NOT NULL AND counted_until IS NULL;
