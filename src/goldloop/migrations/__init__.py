"""Migrations: paired SQL files up and down, then the SQL functions of every concept.

`NNNN_words.up.sql` / `.down.sql` run in one transaction each, under one advisory lock, and leave
the sha256 of what ran. SQL functions live beside their concept, one per file; they are replaced
whenever any of them changed.
"""
