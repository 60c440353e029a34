"""Who belongs to a workspace and with which role."""
