"""Provenance: every change of a content field, and the entry that its present value comes from."""
