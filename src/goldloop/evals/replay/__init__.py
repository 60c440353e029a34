"""Replays: the calls of a session that runs again are answered from recordings. `keys.py` says when two calls are the same,
`tape.py` which recording answers, `outcomes.py` what a replay came to, `schemas.py` what a tool's JSON Schema says about its
calls."""
