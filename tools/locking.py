"""Lets one process at a time change a folder. The lock is on the folder itself, so it leaves no file behind."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def only_one(folder: Path) -> Iterator[int]:
    """Yields the lock's descriptor: handed on to a child, the lock outlives a parent that was killed."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"Another process is at work in {folder.name}/; waiting for it", flush=True)
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield descriptor
    finally:
        os.close(descriptor)
