"""What runs later: jobs (acts to do once) and marks (state to rebuild), and what became of them.

In flows what `kit/queue` left in a caller's transaction; out flows its effect, or a failure with its reason.
"""
