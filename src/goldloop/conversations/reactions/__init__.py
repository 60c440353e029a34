"""Reactions to turns: clicks and words flow in, one active reaction of each end user and those of the gate flow out."""
