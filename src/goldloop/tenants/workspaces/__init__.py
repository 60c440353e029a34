"""Workspaces: their name, and creating them."""
