"""What changed: PostgreSQL's notifications become server-sent events for whoever looks.

In flow topics that writes touched; out flows word to each browser of that tenant that may read them.
"""
