-- Knowledge runs are called artifact eval runs: tables, permissions in the scopes of keys, and events.
ALTER TABLE knowledge_runs RENAME TO artifact_eval_runs;
ALTER TABLE knowledge_results RENAME TO artifact_eval_results;
ALTER TABLE knowledge_failures RENAME TO artifact_eval_failures;
DO $$
DECLARE
    named record;
BEGIN
    FOR named IN
        SELECT c.conrelid::regclass AS of_table, c.conname AS name FROM pg_constraint c
        WHERE c.conrelid IN ('artifact_eval_runs'::regclass, 'artifact_eval_results'::regclass, 'artifact_eval_failures'::regclass)
    LOOP
        EXECUTE format('ALTER TABLE %s RENAME CONSTRAINT %I TO %I', named.of_table, named.name,
                       regexp_replace(named.name, '^knowledge_', 'artifact_eval_'));
    END LOOP;
    FOR named IN
        SELECT i.indexrelid::regclass::text AS name FROM pg_index i
        WHERE i.indrelid IN ('artifact_eval_runs'::regclass, 'artifact_eval_results'::regclass, 'artifact_eval_failures'::regclass)
          AND NOT i.indisprimary
    LOOP
        EXECUTE format('ALTER INDEX %I RENAME TO %I', named.name,
                       regexp_replace(named.name, '^knowledge_', 'artifact_eval_'));
    END LOOP;
END;
$$;

-- Row-level security binds the owner too, who has to see all workspaces here.
ALTER TABLE api_keys NO FORCE ROW LEVEL SECURITY;
ALTER TABLE events NO FORCE ROW LEVEL SECURITY;
UPDATE api_keys SET scopes = array_replace(array_replace(scopes, 'knowledge_evals.team.read', 'artifact_evals.team.read'),
                                           'knowledge_evals.team.manage', 'artifact_evals.team.manage')
WHERE scopes && ARRAY['knowledge_evals.team.read', 'knowledge_evals.team.manage'];
UPDATE events SET name = 'artifact_eval_run.' || split_part(name, '.', 2), topic = 'artifact_eval_runs' WHERE topic = 'knowledge_runs';
ALTER TABLE api_keys FORCE ROW LEVEL SECURITY;
ALTER TABLE events FORCE ROW LEVEL SECURITY;
