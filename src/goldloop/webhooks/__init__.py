"""Webhooks: whatever happens in a workspace is sent to the receivers that it names, signed as Standard Webhooks has it.

In flows every event of the log that a receiver wants, by a mark in the event's own transaction; out flow requests, tried
again for a day, and a log of what was sent and answered. Nobody who writes waits for a receiver, and no receiver for another.
"""
