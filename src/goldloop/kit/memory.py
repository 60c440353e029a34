"""What a process does about its memory: malloc returns what is freed to the system, so that a process does not keep the memory
of a large response, and the garbage collector rests while modules and routes are made.

glibc keeps freed blocks of up to 32 MiB, and has a heap for each of many threads. With other C libraries this does
nothing.
"""

import contextlib
import ctypes
import gc
from collections.abc import Iterator

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8  # of malloc.h
_LARGE = 128 * 1024  # bytes; where glibc begins, before it adapts
_SPARE = 1024 * 1024  # at the end of a heap
_HEAPS = 2


def return_freed_memory() -> None:
    with contextlib.suppress(OSError, AttributeError):
        mallopt = ctypes.CDLL(None).mallopt
        for name, value in ((_MMAP_THRESHOLD, _LARGE), (_TRIM_THRESHOLD, _SPARE), (_ARENA_MAX, _HEAPS)):
            mallopt(name, value)


@contextlib.contextmanager
def without_collecting() -> Iterator[None]:
    """For what makes many objects that all stay, as imports do: looking through them for garbage took a seventh of a start, and
    is not done later either."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_on:
            gc.enable()
