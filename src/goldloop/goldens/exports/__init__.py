"""Exports: goldens of a set whole, for a file that is replayed where there is no server."""
