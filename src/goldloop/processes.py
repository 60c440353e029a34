"""Runs one server as several processes: API processes that share a port, a worker, and one that holds the embedded database.
A composition root; `server.py` has what each of them does."""

import contextlib
import os
import socket
import sys
import tempfile
from collections.abc import Callable, Coroutine, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from goldloop.databases import Urls, wait_for_database
from goldloop.kit.embedded_postgres import HolderKind, embedded_postgres, most_connections
from goldloop.kit.event_loop import find_loop_factory, run_in_loop
from goldloop.kit.settings import BadSetting, Settings
from goldloop.kit.siblings import Siblings
from goldloop.kit.supervision import ChildFailed, Explain, StopAsked, Supervisor, Tell
from goldloop.server import DRAIN_SECONDS, STOP_SECONDS, run, stop_signal

SPARE_SECONDS = 5.0  # beyond what a process gives itself to stop
DATABASE_STOP_SECONDS = 45.0  # more than PostgreSQL is given to stop
LISTENING = 1  # connections of a process beside its pool, for notifications
OF_JOBS = 8  # connections of a worker beside its pool: those of its queue
OF_COMMANDS = 8  # connections that are left to commands beside the server
BACKLOG = 2048  # connections that wait to be accepted

Listeners = list[list[socket.socket]]  # of each API process
Prepare = Callable[[Urls], Coroutine[Any, Any, Any]]


def count_connections(settings: Settings, apis: int, *, worker: bool) -> int:
    """What such a server may open at PostgreSQL, and commands beside it."""
    workers = settings.pool_size + LISTENING + OF_JOBS if worker else 0
    return apis * (settings.pool_size + LISTENING) + workers + OF_COMMANDS


async def check_connections(settings: Settings, urls: Urls, apis: int, *, worker: bool) -> None:
    """That the embedded PostgreSQL takes as many. Raises BadSetting. How many another one takes, or a pooler before it, is for
    whoever runs that to say."""
    if settings.database_url:
        return
    needed, most = count_connections(settings, apis, worker=worker), await most_connections(urls.direct)
    if needed > most:
        raise BadSetting(
            f"{apis} API processes with GOLDLOOP_POOL_SIZE={settings.pool_size} may need {needed} database connections, and "
            f"the embedded PostgreSQL takes {most}: lower one of them, or raise max_connections in its postgresql.conf"
        )


def run_processes(
    settings: Settings,
    holder: HolderKind,
    *,
    apis: int,
    worker: bool,
    prepare: Prepare,
    ready: Callable[[Any], None],
    explain: Explain,
) -> None:
    """Serve until a stop signal. `prepare` is done once, before there are others; `ready` is called with what came of it, as
    soon as all of them take requests. To be called where there is no event loop and no thread."""
    find_loop_factory()
    with contextlib.suppress(StopAsked), Supervisor(explain) as supervisor:
        urls = _start_database(supervisor, settings, holder)
        prepared = supervisor.run_once(
            "start", lambda: run_in_loop(prepare(urls)), stop_seconds=SPARE_SECONDS
        )
        with _listeners(settings, apis) as listeners, _siblings(apis, worker=worker) as siblings:
            for place, each in enumerate(siblings):
                own = listeners[place] if place < apis else []
                supervisor.start(
                    each.own,
                    partial(_serve, settings, urls, each, own, listeners),
                    stop_seconds=DRAIN_SECONDS + STOP_SECONDS + SPARE_SECONDS,
                )
            supervisor.wait_until_ready()
            ready(prepared)
            supervisor.supervise()


def _start_database(supervisor: Supervisor, settings: Settings, holder: HolderKind) -> Urls:
    if settings.database_url:
        return Urls(pooled=settings.database_url, direct=settings.direct_url or settings.database_url)
    database = supervisor.start(
        "db",
        lambda tell: run_in_loop(_hold_database(settings, holder, tell)),
        stage=0,
        stop_seconds=DATABASE_STOP_SECONDS,
    )
    supervisor.wait_until_ready()
    urls: Urls = database.answer
    return urls


async def _hold_database(settings: Settings, holder: HolderKind, tell: Tell) -> None:
    async with embedded_postgres(settings.data_dir, holder, pid=os.getppid()) as postgres:
        tell(Urls(pooled=postgres.url, direct=postgres.url))
        await stop_signal([])


def _serve(
    settings: Settings,
    urls: Urls,
    siblings: Siblings,
    own: list[socket.socket],
    listeners: Listeners,
    tell: Tell,
) -> None:
    """What an API process does, or the worker, which listens on nothing."""
    for each in {each for some in listeners for each in some} - set(own):
        each.close()  # or it would be open for as long as the slowest of us

    async def serve() -> None:
        await wait_for_database(urls)
        await run(
            settings,
            urls,
            api=bool(own),
            worker=not own,
            ready=lambda: tell(None),
            listening=own,
            siblings=siblings,
        )

    run_in_loop(serve())


@contextlib.contextmanager
def _listeners(settings: Settings, apis: int) -> Iterator[Listeners]:
    """Held here as well: what waits to be accepted by a process that dies is there for the one that replaces it."""
    with contextlib.ExitStack() as opened:
        yield [
            [opened.enter_context(each) for each in some]
            for some in open_listeners(settings.host, settings.port, apis)
        ]


def open_listeners(host: str, port: int, apis: int) -> Listeners:
    """On Linux a socket for each process, between which the kernel spreads connections evenly. Of one that all share, whoever
    wakes first takes all that wait. Elsewhere the kernel does not spread them, so one has to do. Raises ChildFailed."""
    shared = not sys.platform.startswith("linux")
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        addresses = sorted({(family, address) for family, _, _, _, address in found}, key=str)
        made = [_listen(*each, shared=shared) for each in addresses]
        if shared:
            return [made] * apis
        taken = [(each.family, each.getsockname()) for each in made]  # where port 0 stood for any
        return [made, *([_listen(*each, shared=False) for each in taken] for _ in range(apis - 1))]
    except OSError as error:
        raise ChildFailed(f"cannot listen on {host} port {port}: {error.strerror}") from error


def _listen(family: socket.AddressFamily, address: Any, *, shared: bool) -> socket.socket:
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if not shared:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    if family == socket.AF_INET6:
        made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    made.setblocking(False)
    made.bind(address)
    made.listen(BACKLOG)
    return made


@contextlib.contextmanager
def _siblings(apis: int, *, worker: bool) -> Iterator[list[Siblings]]:
    names = (*(f"api-{number}" for number in range(1, apis + 1)), *(["worker"] if worker else []))
    with tempfile.TemporaryDirectory(prefix="goldloop-processes-") as folder:  # closed to others
        yield [Siblings(folder=Path(folder), own=name, names=names) for name in names]
