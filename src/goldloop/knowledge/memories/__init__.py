"""What a person wants agents to remember about them. It reaches nobody else's prompts."""
