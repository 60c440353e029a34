"""Sessions: what an agent did in one run, as an ordered log of events that only grows.

In flow events of runs elsewhere; each is committed as it comes. Out flow the session as
people read it, its counts and its end (`session.completed`, `session.failed`, `session.cancelled`). The database grants
nobody to change or delete an event.
"""
