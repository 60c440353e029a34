"""The single source of which releases there were, each with its newest migration."""

RELEASES = {"0.1.0": 42}  # oldest first
