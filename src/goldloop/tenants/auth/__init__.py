"""Authentication: in flow API keys, session cookies and tokens; out flows the actor of a request."""
