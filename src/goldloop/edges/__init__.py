"""Edges: which connections of a record do best.

In flow responses that rate connections; out flow the scores that each connection carries, rebuilt whenever what was
said changes, and rankings of the connections of a record and of the records that one did well with.
"""
