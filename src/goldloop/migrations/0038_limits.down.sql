DROP TABLE storage_measures, run_usage, request_counts, key_limits;
DELETE FROM workspace_settings WHERE section = 'limits';
