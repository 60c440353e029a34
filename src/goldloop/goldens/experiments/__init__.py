"""Experiments: what each row of knowledge is worth, from replays that have a part of it, drawn by lot."""
