"""Limits: what a workspace and its API keys may use. Requests a minute, tokens and cost of runs a day, bytes stored.

In flow what an administrator sets, requests as they are counted in each process, and what runs have used; out flow refusals
with a reason and a time, and what is left. A request asks the database nothing: processes count by themselves, and tell each
other about once a second.
"""
