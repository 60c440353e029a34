"""Rows of shared context: what they say, what they rest on, and how they came to be what they are."""
