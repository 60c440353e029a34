DROP TABLE views, entity_field_sources, entity_field_history, entity_responses, criteria_sets, entity_relations, entity_words,
    entities, entity_types;
