"""The review agent: works through feedback that waits, where an administrator has asked for it."""
