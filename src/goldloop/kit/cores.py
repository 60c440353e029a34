"""How many cores this process may use: those of the machine, of its affinity, or of its container's share."""

import math
import os
import sys
from pathlib import Path

CGROUP_SHARE = Path("/sys/fs/cgroup/cpu.max")  # "<microseconds of each period, or max> <period>"


def usable_cores() -> int:
    """At least one."""
    affinity = len(os.sched_getaffinity(0)) if sys.platform.startswith("linux") else os.cpu_count() or 1
    return max(1, min(affinity, _share(CGROUP_SHARE) or affinity))


def _share(file: Path) -> int | None:
    """A share of 1.5 cores is worth two processes; None where nothing is limited."""
    try:
        quota, period = file.read_text().split()
        return math.ceil(int(quota) / int(period))
    except (OSError, ValueError, ZeroDivisionError):
        return None
