-- The agent that every workspace has stays: sessions and versions name it.
DROP POLICY golden_is_frozen ON sessions;
DROP INDEX feedback_complaints, sessions_entity_work, sessions_agent_work, sessions_work;
DROP TABLE eval_replays, eval_runs, golden_alternatives, goldens, golden_sets;
