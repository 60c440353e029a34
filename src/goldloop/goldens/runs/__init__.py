"""Runs: many replays of goldens at once, what they came to beside a baseline, and how that went over time."""
