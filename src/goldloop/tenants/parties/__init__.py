"""The names of parties (users, agents, the system) in a workspace, which stay when somebody leaves."""
