"""The second factor of a password: codes by time from an app (RFC 6238), and recovery codes."""
