"""One run of the PostgreSQL server as our child, from start to stop."""

import asyncio
import logging
import signal
import subprocess
import time
from pathlib import Path
from typing import IO

from goldloop.kit.embedded_postgres.account import Account
from goldloop.kit.embedded_postgres.children import spawn, spawn_parent_watch, wait_until
from goldloop.kit.embedded_postgres.layout import Layout, own_like_folder
from goldloop.kit.embedded_postgres.model import PORT, EmbeddedPostgresError
from goldloop.kit.embedded_postgres.stale import clear_stale_processes, read_pid_file
from goldloop.kit.embedded_postgres.stderr import reason

log = logging.getLogger("goldloop.postgres")

_READY_SECONDS = 600.0  # replaying the log after a crash takes as long as it takes; its death is seen at once
_STOP_SECONDS = 30.0
_QUIT_SECONDS = 10.0
_OLD_BACKENDS_SECONDS = 30.0
_AGAIN_SECONDS = 0.2
_LOG_BYTES = 10 * 1024 * 1024

# Old backends have not noticed yet that their server is gone, or its last lock file is just going.
_NOT_YET = ("pre-existing shared memory block", "already exists")


class Postmaster:
    def __init__(self, process: subprocess.Popen[bytes], watch: subprocess.Popen[bytes] | None) -> None:
        self._process = process
        self._watch = watch

    @property
    def pid(self) -> int:
        return self._process.pid

    def find_exit_code(self) -> int | None:
        """None while it runs; also what keeps a dead one from staying a zombie."""
        return self._process.poll()

    async def stop(self) -> None:
        """Fast shutdown: aborts transactions, writes a checkpoint and exits; immediate shutdown if that takes too long."""
        began = time.monotonic()
        try:
            for number, seconds in ((signal.SIGINT, _STOP_SECONDS), (signal.SIGQUIT, _QUIT_SECONDS)):
                if self._process.poll() is None:
                    self._process.send_signal(number)
                if await wait_until(lambda: self._process.poll() is not None, seconds):
                    log.info("PostgreSQL ended", extra={"seconds": round(time.monotonic() - began, 2)})
                    return
                log.warning("PostgreSQL did not end within %.0f s of %s", seconds, number.name)
        finally:
            self._kill()

    def _kill(self) -> None:
        """Immediate shutdown, for when nobody can wait: still durable, the next start replays the log."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGQUIT)
            try:
                self._process.wait(_QUIT_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        if self._watch is not None:
            self._watch.kill()
            self._watch.communicate()


async def start_postmaster(
    layout: Layout, sockets: Path, programs: Path, account: Account | None
) -> Postmaster:
    """Returns when it takes connections."""
    deadline = time.monotonic() + _OLD_BACKENDS_SECONDS
    while True:
        await clear_stale_processes(layout)
        with _open_log(layout.log) as output:
            begin = output.tell()
            postmaster = _spawn(layout, sockets, programs, account, output)
        if await _becomes_ready(postmaster, layout):
            log.info("PostgreSQL runs (pid %d) on %s", postmaster.pid, layout.cluster)
            return postmaster
        log_text = _read_from(layout.log, begin)
        if time.monotonic() > deadline or not any(sign in log_text for sign in _NOT_YET):
            raise EmbeddedPostgresError(
                f"PostgreSQL did not start: {reason(log_text)}. The log is {layout.log}."
            )
        await asyncio.sleep(_AGAIN_SECONDS)


async def _becomes_ready(postmaster: Postmaster, layout: Layout) -> bool:
    """Whether the server accepts connections; if not, it has been stopped."""
    ready = False
    try:
        await wait_until(lambda: _is_ready_or_dead(postmaster, layout), _READY_SECONDS)
        ready = postmaster.find_exit_code() is None and _is_ready_or_dead(postmaster, layout)
    finally:
        if not ready:
            await postmaster.stop()
    return ready


def _spawn(
    layout: Layout, sockets: Path, programs: Path, account: Account | None, output: IO[bytes]
) -> Postmaster:
    settings = {
        "cluster_name": layout.cluster_name,
        "listen_addresses": "",
        "port": str(PORT),
        "unix_socket_directories": str(sockets),
        "unix_socket_permissions": "0700",
        "update_process_title": "on",  # by which its processes are known to be ours
        "logging_collector": "off",
        "log_destination": "stderr",
        "log_timezone": "UTC",
        "timezone": "UTC",
        "password_encryption": "scram-sha-256",
        "fsync": "on",
        "full_page_writes": "on",
        "synchronous_commit": "on",
    }
    argv = [str(programs / "postgres"), "-D", str(layout.cluster)]
    for name, value in settings.items():
        argv += ["-c", f"{name}={value}"]
    process = spawn(argv, account, output=output, death_signal=signal.SIGINT)
    return Postmaster(process, spawn_parent_watch(process.pid, signal.SIGINT))


def _is_ready_or_dead(postmaster: Postmaster, layout: Layout) -> bool:
    """Whether waiting is over: it is ready, or it has exited."""
    if postmaster.find_exit_code() is not None:
        return True
    pid_file = read_pid_file(layout.cluster)
    return pid_file is not None and pid_file.pid == postmaster.pid and pid_file.ready


def _open_log(path: Path) -> IO[bytes]:
    """Appends; the previous ten megabytes are kept beside."""
    if path.exists() and path.stat().st_size > _LOG_BYTES:
        path.replace(path.with_name(f"{path.name}.1"))
    output = path.open("ab")
    path.chmod(0o600)
    own_like_folder(output.fileno(), path.parent)
    output.seek(0, 2)
    return output


def _read_from(path: Path, begin: int) -> str:
    with path.open("rb") as file:
        file.seek(begin)
        return file.read(64 * 1024).decode(errors="replace")
