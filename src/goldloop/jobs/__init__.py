"""Background work: runs jobs (acts to do once) and marks (derived state to rebuild), and shows their outcome.

In flows what `kit/queue` left in a caller's transaction; out flows its effect, or a failure with its reason.
"""
