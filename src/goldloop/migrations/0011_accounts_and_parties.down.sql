-- A person is one account again, with one id and one name in all workspaces. Everybody signs in anew.
ALTER TABLE parties NO FORCE ROW LEVEL SECURITY;
ALTER TABLE api_keys NO FORCE ROW LEVEL SECURITY;
DELETE FROM sign_in_sessions;
DROP INDEX users_made_in, users_email_password, memberships_account, invites_member;
ALTER TABLE users DROP COLUMN made_in, ALTER COLUMN password_hash DROP NOT NULL;
ALTER TABLE invites DROP CONSTRAINT invites_member;
ALTER TABLE memberships DROP CONSTRAINT memberships_email, DROP CONSTRAINT memberships_joined,
    DROP CONSTRAINT memberships_account_id_fkey;

-- Of several accounts with one address the oldest keeps it; the others are there, under an address of no mailbox.
UPDATE users u SET email = u.id || '#' || left(u.email, 280)
WHERE EXISTS (SELECT FROM users o WHERE o.email = u.email AND (o.created_at, o.id) < (u.created_at, u.id));

ALTER TABLE users ADD CONSTRAINT users_email_key UNIQUE (email);

-- An account takes the id of its oldest membership, so that what was done there stays theirs.
CREATE TEMP TABLE renamed ON COMMIT DROP AS
SELECT DISTINCT ON (m.account_id) m.account_id AS old_id, m.user_id AS new_id
FROM memberships m WHERE m.account_id IS NOT NULL ORDER BY m.account_id, m.created_at, m.user_id;
UPDATE users u SET id = r.new_id FROM renamed r WHERE u.id = r.old_id;
UPDATE api_keys k SET user_id = r.new_id FROM memberships m JOIN renamed r ON r.old_id = m.account_id
WHERE k.tenant_id = m.tenant_id AND k.user_id = m.user_id;
UPDATE memberships m SET user_id = r.new_id FROM renamed r WHERE m.account_id = r.old_id;

-- Whoever is invited has the account of their address, made if there is none.
INSERT INTO users (id, email, name)
SELECT DISTINCT ON (m.email) m.user_id, m.email, p.name
FROM memberships m JOIN parties p ON p.tenant_id = m.tenant_id AND p.kind = 'user' AND p.id = m.user_id
WHERE m.account_id IS NULL ORDER BY m.email, m.created_at
ON CONFLICT DO NOTHING;
CREATE TEMP TABLE invited ON COMMIT DROP AS
SELECT m.tenant_id, m.user_id AS old_id, u.id AS new_id
FROM memberships m JOIN users u ON u.email = m.email WHERE m.account_id IS NULL;
UPDATE invites o SET user_id = i.new_id FROM invited i WHERE o.tenant_id = i.tenant_id AND o.user_id = i.old_id;
UPDATE api_keys k SET user_id = i.new_id FROM invited i WHERE k.tenant_id = i.tenant_id AND k.user_id = i.old_id;
UPDATE memberships m SET user_id = i.new_id FROM invited i WHERE m.tenant_id = i.tenant_id AND m.user_id = i.old_id;
DELETE FROM invites o WHERE NOT EXISTS (SELECT FROM users u WHERE u.id = o.user_id);

ALTER TABLE memberships DROP COLUMN email, DROP COLUMN account_id,
    ADD CONSTRAINT memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE;
ALTER TABLE invites
    ADD CONSTRAINT invites_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE;
CREATE INDEX memberships_user ON memberships (user_id);
CREATE INDEX invites_user ON invites (user_id);
CREATE POLICY members_of_own_tenant ON users FOR SELECT TO goldloop_app, goldloop_worker
    USING (EXISTS (SELECT FROM memberships m WHERE m.user_id = users.id
                   AND m.tenant_id = nullif(current_setting('app.tenant', true), '')::uuid));
GRANT SELECT (id, email, name, created_at) ON users TO goldloop_app, goldloop_worker;
ALTER TABLE api_keys FORCE ROW LEVEL SECURITY;
DROP TABLE parties;
