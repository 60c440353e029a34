"""Erasures: what is deleted for good, with all that was made of it, and what is said about that afterwards.

In flows what somebody asks to be deleted: a conversation, a session, a record or its responses, an end user, the workspace;
and what retention lets go. It is hidden at once. A job finds what hangs on it, deletes it step by step, and leaves a report:
how many rows went, what stays and why, and no word of whose it was.
"""
