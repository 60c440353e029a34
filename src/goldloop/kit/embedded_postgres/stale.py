"""Finds and clears what an earlier run left on a cluster: processes that are still ending, and a stale `postmaster.pid`.

Only the supervisor, which holds the lock, clears them: whatever runs then has lost its supervisor.
"""

import logging
import os
import signal
from dataclasses import dataclass
from pathlib import Path

from goldloop.kit.embedded_postgres.children import wait_until
from goldloop.kit.embedded_postgres.layout import Layout
from goldloop.kit.embedded_postgres.model import EmbeddedPostgresError
from goldloop.kit.embedded_postgres.processes import ProcessInfo, find_process, list_processes

log = logging.getLogger("goldloop.postgres")

_END_BY_ITSELF_SECONDS = 30.0
_END_BY_FORCE_SECONDS = 10.0
_LOOK_EVERY_SECONDS = 0.05


@dataclass(frozen=True, kw_only=True)
class PidFile:
    """`postmaster.pid`: the server's own account of itself."""

    pid: int
    ready: bool


def read_pid_file(cluster: Path) -> PidFile | None:
    try:
        lines = (cluster / "postmaster.pid").read_text().splitlines()
        return PidFile(pid=int(lines[0]), ready=len(lines) > 7 and lines[7].strip() == "ready")
    except (OSError, ValueError, IndexError):
        return None


def find_postmaster(layout: Layout) -> PidFile | None:
    """The server that is really running on the cluster, not just the file it left."""
    found = read_pid_file(layout.cluster)
    process = find_process(found.pid) if found else None
    return found if process and _is_server(process, layout) else None


async def clear_stale_processes(layout: Layout) -> None:
    """Waits for what is ending by itself, then ends it; removes a pid file that names nobody's server."""
    named = read_pid_file(layout.cluster)
    if named is None and not (layout.cluster / "postmaster.pid").exists():
        return
    if (
        named
        and (process := find_process(named.pid))
        and not _is_ours(process, layout)
        and _is_server(process, layout)
    ):
        await _wait_for_foreign_server(named.pid, layout)
    if _find_ours(layout):
        await _end_ours(layout)
    named = read_pid_file(layout.cluster)
    if named is None or (process := find_process(named.pid)) is None or not _is_server(process, layout):
        (layout.cluster / "postmaster.pid").unlink(missing_ok=True)


async def _end_ours(layout: Layout) -> None:
    log.info("waiting for the previous PostgreSQL on %s to end", layout.cluster)
    if (postmaster := find_postmaster(layout)) is not None:
        _send(postmaster.pid, signal.SIGINT)  # on Linux the kernel has done so already
    if await wait_until(lambda: not _find_ours(layout), _END_BY_ITSELF_SECONDS, every=_LOOK_EVERY_SECONDS):
        return
    for force in (signal.SIGQUIT, signal.SIGKILL):
        remaining = _find_ours(layout)
        log.warning("sending %s to what is left of the previous PostgreSQL: %s", force.name, remaining)
        for pid in remaining:
            _send(pid, force)
        if await wait_until(lambda: not _find_ours(layout), _END_BY_FORCE_SECONDS, every=_LOOK_EVERY_SECONDS):
            return
    raise EmbeddedPostgresError(f"The previous PostgreSQL on {layout.cluster} does not end.")


async def _wait_for_foreign_server(pid: int, layout: Layout) -> None:
    """A server that somebody started by hand on this cluster is not ours to end."""
    if not await wait_until(
        lambda: find_process(pid) is None, _END_BY_ITSELF_SECONDS, every=_LOOK_EVERY_SECONDS
    ):
        raise EmbeddedPostgresError(
            f"A PostgreSQL that goldloop did not start (pid {pid}) runs on {layout.cluster}: stop it first."
        )


def _find_ours(layout: Layout) -> list[int]:
    return [process.pid for process in list_processes() if _is_ours(process, layout)]


def _is_ours(process: ProcessInfo, layout: Layout) -> bool:
    """By the cluster's name: an argument of the server, and in the title of each of its processes."""
    name = layout.cluster_name
    return process.command.startswith(f"postgres: {name}: ") or (
        f"cluster_name={name}" in process.command and _program(process) == "postgres"
    )


def _is_server(process: ProcessInfo, layout: Layout) -> bool:
    """Any PostgreSQL server on this cluster, whoever started it."""
    if _is_ours(process, layout):
        return True
    if _program(process) not in ("postgres", "postmaster"):
        return False
    try:
        return os.readlink(f"/proc/{process.pid}/cwd") == str(layout.cluster)
    except OSError:
        return str(layout.cluster) in process.command.split()


def _program(process: ProcessInfo) -> str:
    return os.path.basename(process.command.partition(" -")[0])


def _send(pid: int, number: signal.Signals) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass
    except PermissionError as error:
        message = f"The previous PostgreSQL (pid {pid}) belongs to another user."
        raise EmbeddedPostgresError(message) from error
