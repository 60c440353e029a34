"""The command `goldloop`, which runs and administers a server."""
