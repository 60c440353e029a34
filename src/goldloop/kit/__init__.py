"""Shared infrastructure: database, errors, HTTP, ids, time, settings. It contains no domain concept."""
