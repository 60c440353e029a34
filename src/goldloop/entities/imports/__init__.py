"""Imports: records of one type from a table, after a look at what would come of it; all of them or none."""
