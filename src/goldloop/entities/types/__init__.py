"""Entity types: which fields records have, as JSON Schema, and how the fields are presented."""
