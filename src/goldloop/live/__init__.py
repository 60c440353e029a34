"""Live updates: turns PostgreSQL's notifications into server-sent events for open pages.

In flow topics that writes touched; out flow messages to each browser of that tenant that may read them.
"""
