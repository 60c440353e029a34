"""The command `goldloop`: a person's or a program's way to run and look after a server."""
