"""Validation of schemas and content against them, in subprocesses where it could take long."""
