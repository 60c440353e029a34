"""Turns flow in, one by one or in bulk; their messages, logs, embeddings and words are kept."""
