"""Candidates: what users asked where an agent did badly, each prompt once, to be promoted or dismissed."""
