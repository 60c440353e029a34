"""Conversations of people with agents, and what people thought of the answers.

In flow turns (from chat servers) and reactions (of end users, of members, and of the gate that reads messages); out flow
transcripts and reports. Each part imports only from those before it.
"""

ORDER = ("turns", "gate", "reactions", "transcripts", "reports")
