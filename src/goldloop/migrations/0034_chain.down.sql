DROP TABLE chain_items;
DROP TABLE chain_retractions;
DROP INDEX shared_context_author;
DROP INDEX sessions_agent_version;
DROP TABLE response_sources;
