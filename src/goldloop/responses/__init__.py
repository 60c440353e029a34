"""Responses: who proposed which values, when, for which record, and what they are worth.

In flow values for the dimensions of a criteria set, from people and agents alike; out flow immutable
submissions with their scores, their statistics and how far the respondents agree.
"""
