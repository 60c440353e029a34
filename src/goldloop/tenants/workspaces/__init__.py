"""The workspace itself: its name, and how the first one comes to be."""
