"""Child processes that end with their parent."""

import asyncio
import math
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import IO

from goldloop.kit.embedded_postgres.account import Account
from goldloop.kit.embedded_postgres.model import EmbeddedPostgresError
from goldloop.kit.parent_death import ON_LINUX, set_death_signal

_POLL_SECONDS = 0.01

# Elsewhere a second child waits for the end of its standard input, which is the end of the parent.
_PARENT_WATCH = "import os,sys; sys.stdin.read(); os.kill(int(sys.argv[1]), int(sys.argv[2]))"


def child_setup(account: Account | None, death_signal: signal.Signals) -> Callable[[], None]:
    """Runs between fork and exec. The order matters: a change of user clears the parent-death signal,
    and the parent may have died before it was set."""
    parent = os.getpid()

    def prepare() -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        if account is not None:
            os.setgroups([account.gid])
            os.setgid(account.gid)
            os.setuid(account.uid)
        os.umask(0o077)
        set_death_signal(parent, death_signal)

    return prepare


def spawn(
    argv: list[str],
    account: Account | None,
    *,
    output: IO[bytes] | int,
    stdin: int = subprocess.DEVNULL,
    death_signal: signal.Signals = signal.SIGKILL,
) -> subprocess.Popen[bytes]:
    """Starts a program as `account`, in its own session so that a terminal's Ctrl-C is ours alone."""
    try:
        return subprocess.Popen(
            argv,
            cwd="/",  # ours may be closed to the account
            env=_environment(),
            stdin=stdin,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=child_setup(account, death_signal),
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise EmbeddedPostgresError(f"{argv[0]} could not be started: {error}") from error


def spawn_parent_watch(pid: int, death_signal: signal.Signals) -> subprocess.Popen[bytes] | None:
    """Stands in for the parent-death signal where the kernel has none."""
    if ON_LINUX:
        return None
    return subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _PARENT_WATCH, str(pid), str(int(death_signal))],
        stdin=subprocess.PIPE,
        start_new_session=True,
    )


async def run(argv: list[str], account: Account | None, *, text: str = "") -> tuple[int, str]:
    """Runs a tool to its end without holding up the event loop; returns its exit code and output."""
    with tempfile.TemporaryFile() as output:
        process = spawn(argv, account, output=output, stdin=subprocess.PIPE)
        try:
            assert process.stdin is not None
            try:
                process.stdin.write(text.encode())  # far below a pipe's buffer: does not block
                process.stdin.close()
            except BrokenPipeError:
                pass  # it ended early: the exit code tells
            await wait_until(lambda: process.poll() is not None, math.inf)
        finally:
            if process.poll() is None:
                _kill_group(process)
        output.seek(0)
        return process.returncode, output.read().decode(errors="replace")


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """With its own children, which may be writing into a folder that is about to be removed."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for _ in range(40):  # not ours to wait for, but gone within milliseconds
        try:
            os.killpg(process.pid, 0)
        except OSError:
            return
        time.sleep(0.005)


def succeeds(argv: list[str], account: Account) -> bool:
    """Whether a program that is quick and changes nothing works for `account`."""
    try:
        code = subprocess.run(
            argv,
            cwd="/",
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=child_setup(account, signal.SIGKILL),
        ).returncode
    except OSError:
        return False
    except subprocess.SubprocessError as error:
        raise EmbeddedPostgresError(
            f"PostgreSQL does not run as root, and this process may not become {account.name}."
        ) from error
    return code == 0


async def wait_until(condition: Callable[[], bool], seconds: float, *, every: float = _POLL_SECONDS) -> bool:
    deadline = time.monotonic() + seconds
    while True:
        if condition():
            return True
        if time.monotonic() >= deadline:
            return False
        await asyncio.sleep(every)


def _environment() -> dict[str, str]:
    """Nothing of ours: no PG* or locale setting may change the cluster, and no secret may leak into it."""
    kept = {name: os.environ[name] for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH") if name in os.environ}
    return {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC", **kept}
