"""Records: what is accepted as true. Types with their JSON Schema, entities with their content.

In flow direct edits by people, promoted values and aggregates; out flows content that always
satisfies its type's schema, with the history of every field.
"""

ORDER = ("validation", "types", "records", "relations", "history", "saved_lists", "imports")
