DROP TABLE sign_in_requests;
DROP TABLE password_resets;
DROP TABLE recovery_codes;
DROP TABLE second_factors;
DROP TABLE identities;
ALTER TABLE memberships DROP COLUMN signed_in_after, DROP COLUMN provider;
ALTER TABLE sign_in_sessions
    DROP COLUMN last_seen_at, DROP COLUMN client, DROP COLUMN device, DROP COLUMN id_token, DROP COLUMN provider,
    DROP COLUMN method, DROP COLUMN id;
-- Who has no password cannot sign in there; a hash that cannot be read is no password's.
UPDATE users SET password_hash = '!' || id WHERE password_hash IS NULL;
ALTER TABLE users ALTER COLUMN password_hash SET NOT NULL;
