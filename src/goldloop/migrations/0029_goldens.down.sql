DROP POLICY golden_is_frozen ON session_events;
DROP POLICY golden_is_frozen ON sessions;
DROP INDEX sessions_work;
DROP TABLE eval_replays, eval_runs, golden_alternatives, goldens, golden_sets;
