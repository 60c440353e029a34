"""Relations: connections of a record to others, each through a relation field of its type."""
