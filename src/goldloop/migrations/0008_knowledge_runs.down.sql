DROP TABLE knowledge_failures, knowledge_results, knowledge_runs;
