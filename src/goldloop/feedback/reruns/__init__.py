"""Trying a rejected extraction again, with what was said about it."""
