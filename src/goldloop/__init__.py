"""Goldloop closes the loop on AI agents' work: propose and review, react and learn, freeze and replay."""

__version__ = "0.1.0"
