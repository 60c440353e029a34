"""Responses about the connections of a record: what they may say, and which connections do best."""
