"""The gate: does a message react to an earlier answer, how, and how sure are we? Messages in, detections out."""
