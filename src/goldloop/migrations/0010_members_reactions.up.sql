-- Ids of end users are the chat's own and may be those of members: whose a reaction is needs both.
ALTER TABLE conv_messages ADD COLUMN by_member boolean NOT NULL DEFAULT false;  -- `end_user` is a member of the workspace
ALTER TABLE conv_messages NO FORCE ROW LEVEL SECURITY;  -- the rows of all workspaces, whoever owns the table
UPDATE conv_messages SET by_member = true WHERE origin = 'user' AND payload #>> '{meta,user_type}' = 'privileged';
ALTER TABLE conv_messages FORCE ROW LEVEL SECURITY;
DROP INDEX conv_reactions_one_of_user;
CREATE UNIQUE INDEX conv_reactions_one_of_user
    ON conv_messages (tenant_id, project, conversation_id, turn_id, end_user, by_member)
    WHERE origin = 'user' AND state = 'active';
