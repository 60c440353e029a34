"""Starts Python processes of our own for work that may hang, crash or take too much memory: a process can be ended.

Each speaks over its standard input and output, and ends when its input does. It has none of the server's settings in its
environment, so the address of the database stays here.
"""

import os
import subprocess
import sys


def start_child(module: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={name: value for name, value in os.environ.items() if not name.startswith("GOLDLOOP_")},
        start_new_session=True,  # Ctrl-C is for the server, which then ends this
    )
