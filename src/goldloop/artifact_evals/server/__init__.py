"""Scoring a workspace's own records: runs of a suite, by job, and what to fix first.

In flow the records of a suite's entity type and what the workspace shows (its views, types and the pages of the UI);
out flow runs with a verdict on each record, whether a suite's loop closes, and criteria sets that ask people the same.
This part of the concept needs the server.
"""
