-- What one end user said of a turn, however many others did; and how many of each kind a conversation has, which is told beside
-- it in lists: equal entries of an index are kept once.
CREATE INDEX conv_reactions_of_user ON conv_messages (tenant_id, project, conversation_id, turn_id, end_user, by_member)
    WHERE origin = 'user';
CREATE INDEX conv_reactions_by_kind ON conv_messages (tenant_id, project, conversation_id, origin, reaction)
    WHERE counted_from IS NOT NULL AND counted_until IS NULL;
