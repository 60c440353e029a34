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

-- A member has an id and an address of the workspace's own, and an account from when the invitation was used.
ALTER TABLE memberships DROP CONSTRAINT memberships_user_id_fkey;
ALTER TABLE invites DROP CONSTRAINT invites_user_id_fkey;
ALTER TABLE memberships ADD COLUMN email text, ADD COLUMN account_id uuid REFERENCES users (id);
UPDATE memberships m SET email = u.email, account_id = CASE WHEN m.joined_at IS NOT NULL THEN u.id END
FROM users u WHERE u.id = m.user_id;

-- Whoever was invited gets an id that is no account's, and a name that nobody gave in another workspace.
CREATE TEMP TABLE invited ON COMMIT DROP AS
SELECT m.tenant_id, m.user_id AS old_id, gen_random_uuid() AS new_id,
       CASE WHEN u.password_hash IS NULL AND (SELECT count(*) FROM memberships o WHERE o.user_id = m.user_id) = 1
            THEN u.name ELSE left(split_part(u.email, '@', 1), 200) END AS name
FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.joined_at IS NULL;
UPDATE memberships m SET user_id = i.new_id FROM invited i WHERE m.tenant_id = i.tenant_id AND m.user_id = i.old_id;
UPDATE invites o SET user_id = i.new_id FROM invited i WHERE o.tenant_id = i.tenant_id AND o.user_id = i.old_id;
UPDATE api_keys k SET user_id = i.new_id FROM invited i WHERE k.tenant_id = i.tenant_id AND k.user_id = i.old_id;
INSERT INTO parties (tenant_id, kind, id, name) SELECT i.tenant_id, 'user', i.new_id, i.name FROM invited i;
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
CREATE INDEX users_email ON users (email);
CREATE INDEX users_made_in ON users (made_in);
DROP POLICY members_of_own_tenant ON users;
REVOKE SELECT (id, email, name, created_at) ON users FROM goldloop_app, goldloop_worker;

ALTER TABLE agents FORCE ROW LEVEL SECURITY;
ALTER TABLE api_keys FORCE ROW LEVEL SECURITY;
ALTER TABLE events FORCE ROW LEVEL SECURITY;
SELECT make_tenant_table('parties', 'SELECT, INSERT, UPDATE');
