"""Runs sessions of agents here: on a language model, at an address of their owner, or as a function of a Python package.

In flow sessions that were queued; a job claims one, and every model request, tool call and result is a committed event as
it happens. Out flow the session's end and what its purpose makes of the result. A run that was killed goes on from its
events.
"""
