"""The inbox: what waits for a person, over all concepts.

In flow the kinds that concepts register in their `inbox.py`; out flow counts of those that a person may work on.
"""
