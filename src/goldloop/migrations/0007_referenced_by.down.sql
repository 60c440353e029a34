DROP INDEX entity_relations_target, entity_relations_target_field;
CREATE INDEX entity_relations_target ON entity_relations (tenant_id, target_id, field_key);
