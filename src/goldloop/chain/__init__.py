"""The chain: what a value, a lesson or a golden rests on, and what rests on a source, on feedback or on a version of an agent.

In flows what the other concepts keep; nothing of it is copied. Out flow nodes and steps between them, and, where somebody says
that something is not to be relied on any more, a list of what a person is to look at again.
"""
