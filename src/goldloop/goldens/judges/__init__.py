"""Judges: who judges replays, by which rubric, model and prompt, and what their word is worth beside that of people.

In flow what judges say of replays, and what people say of a random part of them without knowing it. Out flow licences, without
which a judge only advises, and pass rates that are corrected for its errors.
"""
