-- An account may have no password: its person signs in at a provider.
ALTER TABLE users ALTER COLUMN password_hash DROP NOT NULL;

-- A sign-in session says where it is from, so that its person can tell it from others.
ALTER TABLE sign_in_sessions
    ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid(),
    ADD COLUMN method text NOT NULL DEFAULT 'password' CHECK (method IN ('password', 'provider', 'link')),
    ADD COLUMN provider text CHECK (length(provider) <= 30),
    ADD COLUMN id_token bytea,  -- sealed; signing out at the provider names it
    ADD COLUMN device text NOT NULL DEFAULT '' CHECK (length(device) <= 500),
    ADD COLUMN client text NOT NULL DEFAULT '' CHECK (length(client) <= 100),
    ADD COLUMN last_seen_at timestamptz NOT NULL DEFAULT now();
CREATE UNIQUE INDEX sign_in_sessions_id ON sign_in_sessions (id);

-- Whose claims decide about a membership, and from when on a sign-in counts for it.
ALTER TABLE memberships
    ADD COLUMN provider text CHECK (length(provider) <= 30),
    ADD COLUMN signed_in_after timestamptz;

-- Who somebody is at a provider. The provider's name is as it was in the settings when it was used last.
CREATE TABLE identities (
    issuer text NOT NULL CHECK (length(issuer) BETWEEN 1 AND 500),
    subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 255),
    id uuid NOT NULL UNIQUE,
    account_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    provider text NOT NULL CHECK (length(provider) <= 30),
    email text NOT NULL CHECK (length(email) <= 320),
    linked_at timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (issuer, subject)
);
CREATE INDEX identities_account ON identities (account_id);
ALTER TABLE identities ENABLE ROW LEVEL SECURITY;

-- The second factor of an account's password. It counts from when a first code of it was right.
CREATE TABLE second_factors (
    account_id uuid PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    secret bytea NOT NULL,  -- sealed
    last_step bigint NOT NULL DEFAULT 0,  -- a code of this time or before is not taken again
    created_at timestamptz NOT NULL DEFAULT now(),
    confirmed_at timestamptz
);
ALTER TABLE second_factors ENABLE ROW LEVEL SECURITY;

CREATE TABLE recovery_codes (
    account_id uuid NOT NULL REFERENCES second_factors (account_id) ON DELETE CASCADE,
    hash bytea NOT NULL,
    PRIMARY KEY (account_id, hash)
);
ALTER TABLE recovery_codes ENABLE ROW LEVEL SECURITY;

-- Links to a new password: a workspace's for one of its members, or the operator's for an account.
CREATE TABLE password_resets (
    hash bytea PRIMARY KEY,
    tenant_id uuid,
    user_id uuid,
    account_id uuid REFERENCES users (id) ON DELETE CASCADE,
    drops_factor boolean NOT NULL DEFAULT false,
    expires_at timestamptz NOT NULL,
    CHECK ((tenant_id IS NULL) = (user_id IS NULL) AND (tenant_id IS NULL) <> (account_id IS NULL)),
    FOREIGN KEY (tenant_id, user_id) REFERENCES memberships (tenant_id, user_id) ON DELETE CASCADE
);
CREATE INDEX password_resets_member ON password_resets (tenant_id, user_id);
CREATE INDEX password_resets_account ON password_resets (account_id);
ALTER TABLE password_resets ENABLE ROW LEVEL SECURITY;

-- What a browser was sent to a provider with, until it comes back.
CREATE TABLE sign_in_requests (
    hash bytea PRIMARY KEY,
    content bytea NOT NULL,  -- sealed
    expires_at timestamptz NOT NULL
);
CREATE INDEX sign_in_requests_expires ON sign_in_requests (expires_at);
ALTER TABLE sign_in_requests ENABLE ROW LEVEL SECURITY;
