"""Settings of a workspace: what it wants otherwise than the defaults, in sections that concepts declare.

In flows what an administrator sets through the use cases of the concept; out flow typed values, from memory where they are
asked for often.
"""
