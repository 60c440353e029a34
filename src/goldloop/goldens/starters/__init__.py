"""Starter sets: goldens of a persona that can be loaded into any workspace, to see what evals do before one has goldens of
one's own.

In flows a request to load one. Out flow the persona's types and records, an agent that follows a script instead of a model
(`pe_analyst.py`, `sales_ops.py`, `first_time_admin.py`), its sessions, run like any other, and the goldens that they become.
"""
