"""Artifact runs: scoring a workspace's own records with the suites of `artifact_evals`, by job, and what to fix first.

In flow the records of a suite's entity type and what the workspace shows (its views, types and the pages of the UI);
out flow runs with a verdict on each record, whether a suite's loop closes, and criteria sets that ask people the same.
"""
