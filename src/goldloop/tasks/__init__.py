"""Tasks: work for agents that somebody wrote down, to be done by hand or by the clock. Each run is a session.

In flow what people want done again and again, and kinds of tasks that other concepts bring (`tasks.py` of theirs). Out flow
sessions that name their task.
"""
