-- Ids of end users are the chat's own and may be those of members: whose a reaction is needs both.
ALTER TABLE conv_messages ADD COLUMN by_member boolean NOT NULL DEFAULT false;  -- `end_user` is a member of the workspace
ALTER TABLE conv_messages NO FORCE ROW LEVEL SECURITY;  -- the rows of all workspaces, whoever owns the table
UPDATE conv_messages SET by_member = true WHERE origin = 'user' AND payload #>> '{meta,user_type}' = 'privileged';
ALTER TABLE conv_messages FORCE ROW LEVEL SECURITY;
DROP INDEX conv_reactions_one_of_user;
CREATE UNIQUE INDEX conv_reactions_one_of_user
    ON conv_messages (tenant_id, project, conversation_id, turn_id, end_user, by_member)
    WHERE origin = 'user' AND state = 'active';

-- Responses that kept a field among their promoted ones though it was undone, because they had been promoted into it
-- before: without it they can be promoted, rejected and withdrawn again.
ALTER TABLE entity_responses NO FORCE ROW LEVEL SECURITY;
ALTER TABLE entity_field_history NO FORCE ROW LEVEL SECURITY;
ALTER TABLE entity_field_sources NO FORCE ROW LEVEL SECURITY;
CREATE TEMPORARY TABLE freed ON COMMIT DROP AS
SELECT k.tenant_id, k.id, array_agg(k.key ORDER BY k.place) FILTER (WHERE NOT k.undone OR k.gives) AS kept, bool_or(k.gives) AS gives
FROM (
    SELECT r.tenant_id, r.id, p.key, p.place, EXISTS (  -- what became of its last promotion
               SELECT FROM entity_field_history u WHERE u.tenant_id = r.tenant_id AND u.entity_id = r.entity_id
               AND u.undoes_id = (
                   SELECT h.id FROM entity_field_history h
                   WHERE h.tenant_id = r.tenant_id AND h.response_id = r.id AND h.dimension_key = p.key
                   ORDER BY h.entity_version DESC LIMIT 1)) AS undone,
           EXISTS (
               SELECT FROM entity_field_sources s
               JOIN entity_field_history h ON h.tenant_id = s.tenant_id AND h.id = s.history_id
               WHERE s.tenant_id = r.tenant_id AND s.entity_id = r.entity_id AND h.response_id = r.id
                 AND h.dimension_key = p.key) AS gives
    FROM entity_responses r, unnest(r.promoted_fields) WITH ORDINALITY p (key, place)
    WHERE r.promoted_fields <> '{}'
) k
GROUP BY k.tenant_id, k.id HAVING bool_or(k.undone AND NOT k.gives);
UPDATE entity_responses r
SET promoted_fields = coalesce(f.kept, '{}'),
    status = CASE WHEN f.kept IS NULL THEN 'submitted' WHEN NOT f.gives THEN 'superseded'
                  WHEN r.promotable_fields <@ f.kept THEN 'promoted' ELSE 'partially_promoted' END
FROM freed f WHERE r.tenant_id = f.tenant_id AND r.id = f.id;
ALTER TABLE entity_responses FORCE ROW LEVEL SECURITY;
ALTER TABLE entity_field_history FORCE ROW LEVEL SECURITY;
ALTER TABLE entity_field_sources FORCE ROW LEVEL SECURITY;
