"""Feedback itself: taken in, read, reviewed, taken back."""
