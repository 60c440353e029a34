"""Conversations of people with agents: turns flow in, reactions (of people, and of the gate) are told about them."""
