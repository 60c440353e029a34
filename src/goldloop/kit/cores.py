"""How many cores this process may use: those of the machine, of its affinity, or of its container's share; and how many API
processes that makes."""

import math
import os
import sys
from pathlib import Path

from goldloop.kit.settings import Settings

MOST_BY_DEFAULT = 4  # API processes: one PostgreSQL on the same machine has little use for more
CGROUP_SHARE = Path("/sys/fs/cgroup/cpu.max")  # "<microseconds of each period, or max> <period>"


def count_processes(settings: Settings) -> int:
    """API processes of `goldloop serve`: as set, or one for each core but the first, which is the worker's and PostgreSQL's."""
    return settings.processes or max(1, min(usable_cores() - 1, MOST_BY_DEFAULT))


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
