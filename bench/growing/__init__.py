"""What a request costs the database when there is ten times as much, in pages: counted, not timed, so that it is the same on a
busy machine."""
