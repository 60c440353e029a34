"""Conversations as people read them: the list of conversations, and one of them with its turns, reactions and logs."""
