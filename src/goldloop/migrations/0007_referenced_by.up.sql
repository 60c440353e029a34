-- What leads to a record, page by page: all of it, and through one field.
DROP INDEX entity_relations_target;
CREATE INDEX entity_relations_target ON entity_relations (tenant_id, target_id, id);
CREATE INDEX entity_relations_target_field ON entity_relations (tenant_id, target_id, field_key, id);
