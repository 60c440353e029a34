"""Field population: an agent reads a record and what it is given with it, and proposes values for its fields.

In flow records, the dimensions of a criteria set, and texts to read. Out flows a response with source `extraction` for each
record, reviewed as any other; of many records, a session with a child for each.
"""
