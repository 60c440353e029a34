"""Retention: how long a workspace keeps raw traces, sessions, conversations and events, and letting go of what is older.

In flow the days that an administrator sets, none by default; out flow erasures, in batches, workspace by workspace. What is
golden, or what others refer to, is kept and named.
"""
