DROP INDEX conv_reactions_by_kind;
CREATE INDEX conv_messages_of_turn ON conv_messages (tenant_id, project, conversation_id, turn_id);
DROP INDEX conv_messages_of_turn_and_user;
