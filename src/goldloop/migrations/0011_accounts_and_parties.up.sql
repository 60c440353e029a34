-- How people and agents are called in a workspace. Whoever leaves stays here: what they did keeps their name.
CREATE TABLE parties (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    kind text NOT NULL CHECK (kind IN ('user', 'agent')),
    id uuid NOT NULL,
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    PRIMARY KEY (tenant_id, kind, id)
);

-- These bind the owner too, who has to see all tenants here.
ALTER TABLE agents NO FORCE ROW LEVEL SECURITY;
ALTER TABLE api_keys NO FORCE ROW LEVEL SECURITY;
ALTER TABLE events NO FORCE ROW LEVEL SECURITY;

INSERT INTO parties (tenant_id, kind, id, name) SELECT a.tenant_id, 'agent', a.id, a.name FROM agents a;
INSERT INTO parties (tenant_id, kind, id, name)
SELECT m.tenant_id, 'user', u.id, u.name FROM memberships m JOIN users u ON u.id = m.user_id
WHERE m.joined_at IS NOT NULL;
INSERT INTO parties (tenant_id, kind, id, name)
SELECT DISTINCT e.tenant_id, 'user', u.id, u.name FROM events e JOIN users u ON u.id::text = e.subject_id
WHERE e.name = 'member.joined'
ON CONFLICT DO NOTHING;

-- Whoever did something: also by a key before they joined, and who left. The log knows nearly all; some rows come
-- without an event.
CREATE TEMP TABLE acted (tenant_id uuid, user_id uuid) ON COMMIT DROP;
INSERT INTO acted SELECT DISTINCT e.tenant_id, e.actor_id FROM events e WHERE e.actor_kind = 'user';
INSERT INTO acted SELECT DISTINCT m.tenant_id, m.created_by_id FROM memberships m WHERE m.created_by_kind = 'user';
DO $$
DECLARE
    made text;
BEGIN
    FOREACH made IN ARRAY ARRAY['agents', 'api_keys', 'entity_types', 'criteria_sets', 'entities',
                                'entity_relations', 'views', 'knowledge_runs'] LOOP
        EXECUTE format('ALTER TABLE %I NO FORCE ROW LEVEL SECURITY', made);
        EXECUTE format('INSERT INTO acted SELECT DISTINCT tenant_id, created_by_id FROM %I'
                       ' WHERE created_by_kind = ''user''', made);
    END LOOP;
END;
$$;
ALTER TABLE entity_responses NO FORCE ROW LEVEL SECURITY;
INSERT INTO acted SELECT DISTINCT r.tenant_id, r.submitted_by_user FROM entity_responses r
UNION SELECT DISTINCT r.tenant_id, r.reviewed_by FROM entity_responses r WHERE r.reviewed_by_kind = 'user';

-- A member has an id and an address of the workspace's own, and an account from when the invitation was used.
ALTER TABLE memberships DROP CONSTRAINT memberships_user_id_fkey;
ALTER TABLE invites DROP CONSTRAINT invites_user_id_fkey;
ALTER TABLE memberships ADD COLUMN email text, ADD COLUMN account_id uuid REFERENCES users (id);
UPDATE memberships m SET email = u.email, account_id = CASE WHEN m.joined_at IS NOT NULL THEN u.id END
FROM users u WHERE u.id = m.user_id;

-- Whoever was invited gets an id that is no account's, and a name that nobody gave in another workspace. Where the id
-- is nobody's elsewhere it stays: what they did by a key is under it.
CREATE TEMP TABLE invited ON COMMIT DROP AS
SELECT m.tenant_id, m.user_id AS old_id, CASE WHEN own.is_own THEN m.user_id ELSE gen_random_uuid() END AS new_id,
       CASE WHEN own.is_own THEN u.name ELSE left(split_part(u.email, '@', 1), 200) END AS name
FROM memberships m JOIN users u ON u.id = m.user_id,
     LATERAL (SELECT u.password_hash IS NULL AND count(*) = 1 AS is_own
              FROM memberships o WHERE o.user_id = m.user_id) own
WHERE m.joined_at IS NULL;
UPDATE memberships m SET user_id = i.new_id FROM invited i WHERE m.tenant_id = i.tenant_id AND m.user_id = i.old_id;
UPDATE invites o SET user_id = i.new_id FROM invited i WHERE o.tenant_id = i.tenant_id AND o.user_id = i.old_id;
UPDATE api_keys k SET user_id = i.new_id FROM invited i WHERE k.tenant_id = i.tenant_id AND k.user_id = i.old_id;
INSERT INTO parties (tenant_id, kind, id, name) SELECT i.tenant_id, 'user', i.new_id, i.name FROM invited i
ON CONFLICT DO NOTHING;
INSERT INTO parties (tenant_id, kind, id, name)
SELECT DISTINCT a.tenant_id, 'user', u.id, coalesce(i.name, u.name)
FROM acted a JOIN users u ON u.id = a.user_id LEFT JOIN invited i ON i.tenant_id = a.tenant_id AND i.old_id = u.id
ON CONFLICT DO NOTHING;
DELETE FROM invites o
WHERE NOT EXISTS (SELECT FROM memberships m WHERE m.tenant_id = o.tenant_id AND m.user_id = o.user_id);

ALTER TABLE memberships ALTER COLUMN email SET NOT NULL,
    ADD CONSTRAINT memberships_email UNIQUE (tenant_id, email),
    ADD CONSTRAINT memberships_joined CHECK ((account_id IS NULL) = (joined_at IS NULL));
DROP INDEX memberships_user;
CREATE INDEX memberships_account ON memberships (account_id);
DROP INDEX invites_user;
ALTER TABLE invites ADD CONSTRAINT invites_member FOREIGN KEY (tenant_id, user_id)
    REFERENCES memberships (tenant_id, user_id) ON DELETE CASCADE;
CREATE INDEX invites_member ON invites (tenant_id, user_id);

-- An account is an address and a password: an address has one for each person who was taken to be its own.
DELETE FROM users WHERE password_hash IS NULL;
ALTER TABLE users DROP CONSTRAINT users_email_key, ALTER COLUMN password_hash SET NOT NULL,
    ADD COLUMN made_in uuid REFERENCES tenants (id) ON DELETE SET NULL;
CREATE UNIQUE INDEX users_email_password ON users (email, password_hash);
CREATE INDEX users_made_in ON users (made_in);
DROP POLICY members_of_own_tenant ON users;
REVOKE SELECT (id, email, name, created_at) ON users FROM goldloop_app, goldloop_worker;

DO $$
DECLARE
    opened text;
BEGIN
    FOREACH opened IN ARRAY ARRAY['agents', 'api_keys', 'events', 'entity_types', 'criteria_sets',
                                  'entities', 'entity_relations', 'entity_responses', 'views', 'knowledge_runs'] LOOP
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', opened);
    END LOOP;
END;
$$;
SELECT make_tenant_table('parties', 'SELECT, INSERT, UPDATE');
