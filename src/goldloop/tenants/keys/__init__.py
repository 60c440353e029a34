"""API keys: shown once, stored hashed, scoped, expiring, revocable; of a person or of an agent."""
