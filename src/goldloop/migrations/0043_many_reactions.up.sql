-- What is beside a turn, and of that what one end user said of it, however many others did: one index for both, or a plan might
-- take the shorter one for the latter. And how many reactions of each kind a conversation has, which lists tell beside it: equal
-- entries of an index are kept once.
CREATE INDEX conv_messages_of_turn_and_user ON conv_messages (tenant_id, project, conversation_id, turn_id, end_user, by_member);
DROP INDEX conv_messages_of_turn;
CREATE INDEX conv_reactions_by_kind ON conv_messages (tenant_id, project, conversation_id, origin, reaction)
    WHERE counted_from IS NOT NULL AND counted_until IS NULL;
