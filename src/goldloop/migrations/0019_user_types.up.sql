-- Whose a reaction is, in its payload as well: a member's of the workspace or an end user's. What a machine read from an end
-- user's message is that end user's.
ALTER TABLE conv_messages NO FORCE ROW LEVEL SECURITY;  -- the rows of all workspaces, whoever owns the table
UPDATE conv_messages
SET payload = jsonb_set(payload, '{meta,user_type}', to_jsonb(CASE WHEN by_member THEN 'member' ELSE 'end_user' END))
WHERE kind = 'turn.log.reaction' AND payload ? 'meta';
ALTER TABLE conv_messages FORCE ROW LEVEL SECURITY;

-- Satisfaction is asked for by whose it is, from the index alone.
DROP INDEX conv_reactions_counted;
CREATE INDEX conv_reactions_counted ON conv_messages (tenant_id, ts) INCLUDE (project, agent, origin, reaction, by_member)
    WHERE counted_from IS NOT NULL AND counted_until IS NULL;

-- Those of members are few among those of end users.
CREATE INDEX conv_reactions_of_members ON conv_messages (tenant_id, project, ts, id)
    WHERE counted_from IS NOT NULL AND by_member;

-- What was settled and taken back stays as history beside the reaction, which waits again.
DROP INDEX conv_reactions_one_of_message;
CREATE UNIQUE INDEX conv_reactions_one_of_message
    ON conv_messages (tenant_id, project, source_conversation_id, source_turn_id)
    WHERE origin = 'machine' AND state <> 'cleared';
