"""Goldens and their sets: promote a session, change what replays are held to, revoke it."""
