"""Storage: how much a workspace stores, in rows and in blobs.

In flow all tables and the blob store; out flows a measure with its time, by which limits are held to.
"""
