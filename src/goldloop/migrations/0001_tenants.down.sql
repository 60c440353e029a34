DROP TABLE idempotency_keys, api_keys, agents, installation, api_key_hashes, invites, sign_in_attempts,
    sign_in_sessions, memberships, users, tenants;
DROP FUNCTION make_tenant_table(regclass, text);
REVOKE USAGE ON SCHEMA public FROM goldloop_app, goldloop_worker;
-- The roles stay: they belong to the cluster, where another database may use them.
