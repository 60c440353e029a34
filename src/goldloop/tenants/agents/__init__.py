"""The registry of a workspace's agents: who they are and whether they may act."""
