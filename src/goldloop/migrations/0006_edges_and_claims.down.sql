DROP TABLE claim_settings, relation_scores;
DROP INDEX entity_relations_source, entity_relations_field;
ALTER TABLE entity_responses DROP COLUMN scope;
