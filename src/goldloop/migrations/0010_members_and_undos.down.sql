-- Of a member and an end user with one id, the later reaction replaced the earlier one.
ALTER TABLE conv_messages NO FORCE ROW LEVEL SECURITY;
UPDATE conv_messages m SET state = 'replaced', counted_until = n.counted_from
FROM conv_messages n
WHERE m.origin = 'user' AND m.state = 'active' AND n.origin = 'user' AND n.state = 'active'
  AND n.tenant_id = m.tenant_id AND n.project = m.project AND n.conversation_id = m.conversation_id
  AND n.turn_id = m.turn_id AND n.end_user = m.end_user AND n.by_member <> m.by_member
  AND (n.counted_from, n.id) > (m.counted_from, m.id);
ALTER TABLE conv_messages FORCE ROW LEVEL SECURITY;
DROP INDEX conv_reactions_one_of_user;
ALTER TABLE conv_messages DROP COLUMN by_member;
CREATE UNIQUE INDEX conv_reactions_one_of_user ON conv_messages (tenant_id, project, conversation_id, turn_id, end_user)
    WHERE origin = 'user' AND state = 'active';
