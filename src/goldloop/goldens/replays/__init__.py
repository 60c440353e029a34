"""Replays: a golden's task given to an agent again, its tool calls answered from what was recorded, and what came of it compared."""
