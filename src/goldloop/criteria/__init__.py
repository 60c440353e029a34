"""Criteria sets: the templates by which people and agents propose values.

In flow definitions by admins, and the schema of every type as its default set; out flow dimensions,
against which responses are checked, scored and kept.
"""
