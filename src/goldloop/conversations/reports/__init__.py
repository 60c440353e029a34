"""Reports: which conversations and turns got reactions, and how satisfied people are, over time."""
