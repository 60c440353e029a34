"""Feedback: what people think of what agents made, and how far that helps whoever tries again.

In flow rejections and reactions; out flows how much of each can be acted on (`quality.py`).
"""
