"""The audit log: who did what, when, with which key and from where, and what it was before.

In flow the facts of the event log, which nobody can change; out flow pages of them by who, what and when, each with the values
before and after where another table knows them, and files of them.
"""
