-- Deleting for good. What is asked to go is hidden at once and goes by a job; a role of its own may do what no other may:
-- change and delete what is only ever added to, and that only while an erasure that names who asked is open.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'goldloop_eraser') THEN
        BEGIN
            CREATE ROLE goldloop_eraser NOLOGIN NOSUPERUSER NOBYPASSRLS;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL; -- another database of this cluster was migrated at the same moment
        END;
    END IF;
    IF NOT pg_has_role(current_user, 'goldloop_eraser', 'SET') THEN
        GRANT goldloop_eraser TO CURRENT_USER WITH INHERIT FALSE, SET TRUE;  -- else its policies would bind the owner too
    END IF;
    IF NOT pg_has_role('goldloop_eraser', 'goldloop_worker', 'USAGE') THEN
        GRANT goldloop_worker TO goldloop_eraser;
    END IF;
END;
$$;

CREATE TABLE erasures (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('conversation', 'session', 'record', 'responses', 'end_user', 'workspace', 'retention')),
    subject text[],  -- what is to go, as long as it goes: nobody reads here later whose it was
    fingerprint text NOT NULL,  -- a hash of it, by which whoever knows the subject finds what became of it
    gone jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(gone) = 'object'),  -- how many rows, by table
    kept jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(kept) = 'array'),  -- [{what, count, why, ids}]
    requested_at timestamptz NOT NULL,
    ended_at timestamptz,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, id) REFERENCES runs (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX erasures_newest ON erasures (tenant_id, requested_at, id);
CREATE INDEX erasures_fingerprint ON erasures (tenant_id, fingerprint);
SELECT make_tenant_table('erasures', 'SELECT');

-- What an erasure has found, and what of it is done. They go when it is over.
CREATE TABLE erasure_items (
    tenant_id uuid NOT NULL,
    erasure_id uuid NOT NULL,
    kind text NOT NULL,
    place text[] NOT NULL,
    done boolean NOT NULL DEFAULT false,
    PRIMARY KEY (tenant_id, erasure_id, kind, place),
    FOREIGN KEY (tenant_id, erasure_id) REFERENCES erasures (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX erasure_items_todo ON erasure_items (tenant_id, erasure_id, kind, place) WHERE NOT done;
SELECT make_tenant_table('erasure_items', 'SELECT');

-- What is not taken in while it is being erased.
CREATE TABLE erasure_blocks (
    tenant_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('conversation', 'session', 'end_user')),
    key text NOT NULL,
    erasure_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, kind, key, erasure_id),
    FOREIGN KEY (tenant_id, erasure_id) REFERENCES erasures (tenant_id, id) ON DELETE CASCADE
);
SELECT make_tenant_table('erasure_blocks', 'SELECT');

-- What became of whole workspaces. Global: there is no tenant left that it could be of.
CREATE TABLE erased_workspaces (
    workspace_id uuid PRIMARY KEY,
    slug text NOT NULL,
    gone jsonb NOT NULL,
    requested_at timestamptz NOT NULL,
    ended_at timestamptz NOT NULL
);
ALTER TABLE erased_workspaces ENABLE ROW LEVEL SECURITY;

-- Hidden from the moment on in which it is asked for: row-level security, so that no reader can forget it.
ALTER TABLE conversations ADD COLUMN erasing uuid;
ALTER TABLE sessions ADD COLUMN erasing uuid;
ALTER TABLE entities ADD COLUMN erasing uuid;
CREATE POLICY not_erasing ON conversations AS RESTRICTIVE
    USING (erasing IS NULL OR nullif(current_setting('app.erasure', true), '') IS NOT NULL);
CREATE POLICY not_erasing ON sessions AS RESTRICTIVE
    USING (erasing IS NULL OR nullif(current_setting('app.erasure', true), '') IS NOT NULL);
CREATE POLICY not_erasing ON entities AS RESTRICTIVE
    USING (erasing IS NULL OR nullif(current_setting('app.erasure', true), '') IS NOT NULL);

-- The narrow way past "added and never changed": the eraser's role, and only in a transaction that names an open erasure.
CREATE FUNCTION let_erase(target regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    act text;
BEGIN
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO goldloop_eraser', target);
    IF target = 'public.erasures'::regclass THEN
        RETURN;  -- which the others ask
    END IF;
    FOREACH act IN ARRAY ARRAY['UPDATE', 'DELETE'] LOOP
        EXECUTE format(
            'CREATE POLICY within_erasure_%s ON %s AS RESTRICTIVE FOR %s TO goldloop_eraser USING (EXISTS (SELECT FROM public.erasures e
                WHERE e.id = nullif(current_setting(''app.erasure'', true), '''')::uuid AND e.ended_at IS NULL))',
            lower(act), target, act);
    END LOOP;
END;
$$;
REVOKE ALL ON FUNCTION let_erase(regclass) FROM PUBLIC;
DO $$
DECLARE
    target regclass;
BEGIN
    FOR target IN SELECT c.oid::regclass FROM pg_class c
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relforcerowsecurity ORDER BY c.relname LOOP
        PERFORM let_erase(target);
    END LOOP;
END;
$$;
GRANT DELETE ON tenants TO goldloop_eraser;

-- Tables that are made from now on have it too.
CREATE OR REPLACE FUNCTION make_tenant_table(target regclass, privileges text DEFAULT 'SELECT, INSERT, UPDATE, DELETE')
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
    EXECUTE format(
        'CREATE POLICY tenant_isolation ON %s USING (tenant_id = nullif(current_setting(''app.tenant'', true), '''')::uuid)',
        target);
    EXECUTE format('GRANT %s ON %s TO goldloop_app, goldloop_worker', privileges, target);
    PERFORM let_erase(target);
END;
$$;

-- What gathering asks for.
CREATE INDEX conv_turns_user ON conv_turns (tenant_id, user_id) WHERE user_id IS NOT NULL;
CREATE INDEX sessions_user ON sessions (tenant_id, (metadata ->> 'user_id')) WHERE metadata ? 'user_id';
CREATE INDEX session_events_blob ON session_events (tenant_id, blob) WHERE blob IS NOT NULL;
