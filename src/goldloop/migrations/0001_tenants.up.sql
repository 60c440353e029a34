-- Roles: the login that migrates owns everything; requests run as goldloop_app, jobs as goldloop_worker.
-- Both are NOLOGIN: a transaction changes to one of them in its first message.
DO $$
DECLARE
    wanted text;
BEGIN
    FOREACH wanted IN ARRAY ARRAY['goldloop_app', 'goldloop_worker'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted) THEN
            BEGIN
                EXECUTE format('CREATE ROLE %I NOLOGIN NOSUPERUSER NOBYPASSRLS', wanted);
            EXCEPTION WHEN duplicate_object OR unique_violation THEN
                NULL; -- another database of this cluster was migrated at the same moment
            END;
        END IF;
        IF NOT pg_has_role(current_user, wanted, 'SET') THEN
            EXECUTE format('GRANT %I TO CURRENT_USER', wanted);
        END IF;
    END LOOP;
END;
$$;

GRANT USAGE ON SCHEMA public TO goldloop_app, goldloop_worker;

-- The one way to make a tenant table: row-level security that also binds the owner, and the grants.
CREATE FUNCTION make_tenant_table(target regclass, privileges text DEFAULT 'SELECT, INSERT, UPDATE, DELETE')
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
    EXECUTE format(
        'CREATE POLICY tenant_isolation ON %s USING (tenant_id = nullif(current_setting(''app.tenant'', true), '''')::uuid)',
        target);
    EXECUTE format('GRANT %s ON %s TO goldloop_app, goldloop_worker', privileges, target);
END;
$$;

-- Global tables. They answer through functions; what a tenant may see of them directly is one policy each.
CREATE TABLE tenants (
    id uuid PRIMARY KEY,
    slug text NOT NULL UNIQUE CHECK (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    created_at timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE tenants ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON tenants TO goldloop_app, goldloop_worker
    USING (id = nullif(current_setting('app.tenant', true), '')::uuid);
GRANT SELECT, UPDATE (name) ON tenants TO goldloop_app, goldloop_worker;

CREATE TABLE users (
    id uuid PRIMARY KEY,
    email text NOT NULL UNIQUE CHECK (email = lower(email) AND length(email) BETWEEN 3 AND 320),
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    password_hash text,
    created_at timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE users ENABLE ROW LEVEL SECURITY;

CREATE TABLE memberships (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role text NOT NULL CHECK (role IN ('viewer', 'contributor', 'reviewer', 'admin', 'owner')),
    joined_at timestamptz,  -- null until this workspace's own invitation was used: only then may they enter
    created_at timestamptz NOT NULL DEFAULT now(),
    created_by_kind text NOT NULL CHECK (created_by_kind IN ('user', 'agent', 'system')),
    created_by_id uuid,
    PRIMARY KEY (tenant_id, user_id)
);
CREATE INDEX memberships_user ON memberships (user_id);
ALTER TABLE memberships ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON memberships TO goldloop_app, goldloop_worker
    USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON memberships TO goldloop_app, goldloop_worker;

CREATE POLICY members_of_own_tenant ON users FOR SELECT TO goldloop_app, goldloop_worker
    USING (EXISTS (SELECT FROM memberships m WHERE m.user_id = users.id
                   AND m.tenant_id = nullif(current_setting('app.tenant', true), '')::uuid));
GRANT SELECT (id, email, name, created_at) ON users TO goldloop_app, goldloop_worker;

CREATE TABLE sign_in_sessions (
    hash bytea PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL
);
CREATE INDEX sign_in_sessions_user ON sign_in_sessions (user_id);
CREATE INDEX sign_in_sessions_expires ON sign_in_sessions (expires_at);
ALTER TABLE sign_in_sessions ENABLE ROW LEVEL SECURITY;

CREATE TABLE sign_in_attempts (
    subject bytea PRIMARY KEY,
    since timestamptz NOT NULL,
    attempts integer NOT NULL
);
ALTER TABLE sign_in_attempts ENABLE ROW LEVEL SECURITY;

CREATE TABLE invites (
    hash bytea PRIMARY KEY,
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    expires_at timestamptz NOT NULL
);
CREATE INDEX invites_user ON invites (user_id);
ALTER TABLE invites ENABLE ROW LEVEL SECURITY;

CREATE TABLE api_key_hashes (
    hash bytea PRIMARY KEY,
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    key_id uuid NOT NULL,
    UNIQUE (tenant_id, key_id)
);
ALTER TABLE api_key_hashes ENABLE ROW LEVEL SECURITY;

CREATE TABLE installation (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    secret text NOT NULL
);
ALTER TABLE installation ENABLE ROW LEVEL SECURITY;
INSERT INTO installation (secret)
VALUES (replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''));

-- Tenant tables.
CREATE TABLE agents (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    slug text NOT NULL CHECK (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    description text NOT NULL DEFAULT '' CHECK (length(description) <= 2000),
    active boolean NOT NULL DEFAULT true,
    created_at timestamptz NOT NULL DEFAULT now(),
    created_by_kind text NOT NULL CHECK (created_by_kind IN ('user', 'agent', 'system')),
    created_by_id uuid,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, slug)
);
SELECT make_tenant_table('agents');

CREATE TABLE api_keys (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    prefix text NOT NULL,
    role text NOT NULL CHECK (role IN ('viewer', 'contributor', 'reviewer', 'admin', 'owner')),
    scopes text[],
    user_id uuid,
    agent_id uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    created_by_kind text NOT NULL CHECK (created_by_kind IN ('user', 'agent', 'system')),
    created_by_id uuid,
    expires_at timestamptz,
    last_used_at timestamptz,
    revoked_at timestamptz,
    revoked_by_kind text CHECK (revoked_by_kind IN ('user', 'agent', 'system')),
    revoked_by_id uuid,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, agent_id) REFERENCES agents (tenant_id, id),
    CHECK ((user_id IS NULL) <> (agent_id IS NULL))
);
SELECT make_tenant_table('api_keys', 'SELECT, INSERT, UPDATE');

CREATE TABLE idempotency_keys (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    actor text NOT NULL,
    key text NOT NULL,
    request_hash bytea NOT NULL,
    response jsonb,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, actor, key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (tenant_id, created_at);
SELECT make_tenant_table('idempotency_keys');
