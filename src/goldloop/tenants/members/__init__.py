"""Members: who belongs to a workspace and with which role."""
