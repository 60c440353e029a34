-- Agents are names and keys again; what they ran with is lost.
DROP TABLE agent_secrets;
DROP TABLE agent_versions;
