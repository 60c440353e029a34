"""How fast the server is, beside what the same SQL reaches without it.

In comes the name of a workload; out comes a table: the server's rate and latency under load, the rate of
pgbench running the very statements that the server sends, and the ratio of the two. Both are measured in
turns within one run, so that whatever else the machine does falls on both.
"""
