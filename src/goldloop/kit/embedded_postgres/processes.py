"""Reads information on processes that are not our children."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

_HAS_PROC = sys.platform.startswith("linux")


@dataclass(frozen=True, kw_only=True)
class ProcessInfo:
    """A live process, as the system shows it."""

    pid: int
    command: str


def find_process(pid: int) -> ProcessInfo | None:
    """None if there is no such process or only its zombie."""
    if not _HAS_PROC:
        return next(iter(_ps("-p", str(pid))), None)
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return None
    state = stat.rpartition(b")")[2].split()[:1]
    if state and state[0] in (b"Z", b"X"):
        return None
    return ProcessInfo(pid=pid, command=command.replace(b"\0", b" ").decode(errors="replace").strip())


def list_processes() -> list[ProcessInfo]:
    if not _HAS_PROC:
        return _ps("-ax")
    pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    return [process for pid in pids if (process := find_process(pid)) is not None]


def list_children(pid: int) -> list[ProcessInfo]:
    """Live children of a process, by the names that they gave themselves; none where the system does not tell these."""
    return (
        [child for process in list_processes() if (child := _as_child(process.pid, pid))] if _HAS_PROC else []
    )


def _as_child(pid: int, parent: int) -> ProcessInfo | None:
    try:
        head, _, rest = Path(f"/proc/{pid}/stat").read_text().rpartition(")")
    except OSError:
        return None
    is_child = int(rest.split()[1]) == parent
    return ProcessInfo(pid=pid, command=head.partition("(")[2]) if is_child else None


def _ps(*which: str) -> list[ProcessInfo]:
    listing = subprocess.run(
        ["/bin/ps", *which, "-ww", "-o", "pid=,stat=,command="], capture_output=True, text=True, check=False
    ).stdout
    rows = [line.split(None, 2) for line in listing.splitlines()]
    return [
        ProcessInfo(pid=int(row[0]), command=row[2]) for row in rows if len(row) == 3 and row[1][0] != "Z"
    ]
