"""Feedback from elsewhere: older tables, and exports of other tools."""
