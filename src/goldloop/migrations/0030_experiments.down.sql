ALTER TABLE shared_context NO FORCE ROW LEVEL SECURITY;
ALTER TABLE eval_runs NO FORCE ROW LEVEL SECURITY;
ALTER TABLE eval_replays NO FORCE ROW LEVEL SECURITY;
UPDATE shared_context SET value = NULL, value_z = NULL, flags = array_remove(array_remove(flags, 'helps'), 'harms')
WHERE value IS NOT NULL;
DROP INDEX shared_context_measured;
DROP TABLE shared_context_values, eval_experiments;
DELETE FROM eval_replays WHERE context = 'drawn';
DELETE FROM eval_runs WHERE kind = 'experiment';
ALTER TABLE eval_replays DROP COLUMN measures, DROP COLUMN rows_present, DROP COLUMN rows_applicable, DROP COLUMN manifest;
ALTER TABLE eval_runs DROP CONSTRAINT eval_runs_context_check;
ALTER TABLE eval_runs ADD CONSTRAINT eval_runs_context_check CHECK (context IN ('snapshot', 'live'));
ALTER TABLE eval_runs DROP CONSTRAINT eval_runs_kind_check;
ALTER TABLE eval_runs ADD CONSTRAINT eval_runs_kind_check CHECK (kind IN ('run', 'floor', 'confirmation'));
ALTER TABLE eval_replays FORCE ROW LEVEL SECURITY;
ALTER TABLE eval_runs FORCE ROW LEVEL SECURITY;
ALTER TABLE shared_context FORCE ROW LEVEL SECURITY;
