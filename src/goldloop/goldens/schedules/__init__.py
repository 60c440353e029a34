"""Schedules: the kind of task that replays a set of goldens, and the session that waits for it."""
