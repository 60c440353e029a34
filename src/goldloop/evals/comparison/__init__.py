"""What a replay did otherwise than its golden: one file for each thing that is compared, and `sessions.py` for the whole."""
