"""The tools of Goldloop over the Model Context Protocol, at `/mcp`, for any agent that speaks it.

In flow calls with an API key, or with the key of a run, in the header; out flow the same answers as over HTTP. Nothing is kept
between two calls, so any process behind a load balancer answers.
"""
