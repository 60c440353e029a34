-- Artifact eval runs are called knowledge runs again.
ALTER TABLE artifact_eval_runs RENAME TO knowledge_runs;
ALTER TABLE artifact_eval_results RENAME TO knowledge_results;
ALTER TABLE artifact_eval_failures RENAME TO knowledge_failures;
DO $$
DECLARE
    named record;
BEGIN
    FOR named IN
        SELECT c.conrelid::regclass AS of_table, c.conname AS name FROM pg_constraint c
        WHERE c.conrelid IN ('knowledge_runs'::regclass, 'knowledge_results'::regclass, 'knowledge_failures'::regclass)
    LOOP
        EXECUTE format('ALTER TABLE %s RENAME CONSTRAINT %I TO %I', named.of_table, named.name,
                       regexp_replace(named.name, '^artifact_eval_', 'knowledge_'));
    END LOOP;
    FOR named IN
        SELECT i.indexrelid::regclass::text AS name FROM pg_index i
        WHERE i.indrelid IN ('knowledge_runs'::regclass, 'knowledge_results'::regclass, 'knowledge_failures'::regclass)
          AND NOT i.indisprimary
    LOOP
        EXECUTE format('ALTER INDEX %I RENAME TO %I', named.name,
                       regexp_replace(named.name, '^artifact_eval_', 'knowledge_'));
    END LOOP;
END;
$$;

-- Row-level security binds the owner too, who has to see all workspaces here.
ALTER TABLE api_keys NO FORCE ROW LEVEL SECURITY;
ALTER TABLE events NO FORCE ROW LEVEL SECURITY;
UPDATE api_keys SET scopes = array_replace(array_replace(scopes, 'artifact_evals.team.read', 'knowledge_evals.team.read'),
                                           'artifact_evals.team.manage', 'knowledge_evals.team.manage')
WHERE scopes && ARRAY['artifact_evals.team.read', 'artifact_evals.team.manage'];
UPDATE events SET name = 'knowledge_run.' || split_part(name, '.', 2), topic = 'knowledge_runs' WHERE topic = 'artifact_eval_runs';
ALTER TABLE api_keys FORCE ROW LEVEL SECURITY;
ALTER TABLE events FORCE ROW LEVEL SECURITY;
