"""Has a process end when its parent does, however that ends."""

import ctypes
import os
import signal
import sys
import threading

ON_LINUX = sys.platform.startswith("linux")
_libc = ctypes.CDLL(None, use_errno=True) if ON_LINUX else None  # loaded before any fork
_PR_SET_PDEATHSIG = 1
_PR_SET_NAME = 15


def set_death_signal(parent: int, number: signal.Signals) -> None:
    """Has the kernel send a signal when the parent ends; Linux alone does. For use right after a fork: the parent may have
    died before this."""
    if _libc is not None:
        _libc.prctl(_PR_SET_PDEATHSIG, int(number), 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)


def die_with_parent(parent: int, life: int) -> None:
    """Killed with the parent. `life` is the reading end of a pipe whose other end the parent alone has open; it is what tells
    where the kernel does not."""
    if ON_LINUX:
        set_death_signal(parent, signal.SIGKILL)
    else:
        threading.Thread(target=_die_at_end_of, args=(life,), daemon=True).start()


def _die_at_end_of(life: int) -> None:
    while os.read(life, 1):
        pass
    os.kill(os.getpid(), signal.SIGKILL)


def set_process_name(name: str) -> None:
    """As `ps` and `top` show it on Linux: at most 15 characters."""
    if _libc is not None:
        _libc.prctl(_PR_SET_NAME, name.encode()[:15], 0, 0, 0)
