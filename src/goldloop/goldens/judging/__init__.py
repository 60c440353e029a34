"""Judging: a language model reads what a replay did and says how far it meets the rubric of its golden. It counts for nothing."""
