"""Runs a process: serves the API, the worker, or both. A composition root."""

import asyncio
import contextlib
import gc
import logging
import signal
import socket
import time
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import uvicorn

import goldloop.concepts  # noqa: F401  registers jobs, marks and listeners
from goldloop.app import build_app, build_health
from goldloop.databases import Urls
from goldloop.gauges import Gauges
from goldloop.jobs.marks import MarkRunner
from goldloop.jobs.runner import JobRunner
from goldloop.kit.db import Database, open_database
from goldloop.kit.memory import return_freed_memory, without_collecting
from goldloop.kit.request_limits import Limits, protocol
from goldloop.kit.settings import Settings
from goldloop.kit.siblings import Siblings
from goldloop.limits.installation import set_installation_limits
from goldloop.limits.model import UsageLimits
from goldloop.live.feed import Feed
from goldloop.outside import outside_of
from goldloop.tenants.auth.authenticator import Authenticator
from goldloop.tenants.sign_in.store import installation_secret

log = logging.getLogger("goldloop")

STOP_SECONDS = 20  # more than a job is given to finish
DRAIN_SECONDS = 10  # for requests that run


async def run(
    settings: Settings,
    urls: Urls,
    *,
    api: bool,
    worker: bool,
    ready: Callable[[], None] = lambda: None,
    listening: list[socket.socket] | None = None,
    siblings: Siblings | None = None,
) -> None:
    """Serve until a stop signal; `ready` is called as soon as requests are taken. One of several processes is given what it
    listens on, and who the others are."""
    return_freed_memory()
    set_installation_limits(msgspec.convert(settings.limits, UsageLimits))
    async with open_database(
        urls.pooled,
        size=settings.pool_size,
        statement_cache=settings.statement_cache,
        pooler=urls.pooled != urls.direct or not settings.statement_cache,
    ) as db:
        secret = await secret_of(settings, db)
        outside = outside_of(settings, secret)
        auth = Authenticator(db=db, secret=secret)
        marks = MarkRunner(db, outside)
        feed = Feed(db=db, url=urls.direct, auth=auth, on_mark=marks.notified)
        gauges = Gauges(db, feed, siblings)
        running: list[Any] = [feed.run()]
        if siblings:
            running.append(siblings.answer(gauges.own_exposition))
        if worker:
            running += [marks.run(), JobRunner(db, urls.direct, settings.worker_concurrency, outside).run()]
        tasks = [asyncio.create_task(work) for work in running]
        try:
            if api:
                with without_collecting():
                    app = build_app(
                        db,
                        auth,
                        feed,
                        outside,
                        gauges=gauges,
                        max_body_bytes=settings.max_body_bytes,
                        allowed_origins=settings.allowed_origins,
                    )
                await _serve_http(settings, app, feed, ready, listening)
            elif settings.worker_port is not None and siblings is None:
                server = _Server(_config(settings, build_health(db, feed), settings.worker_port), feed, ready)
                await _serve_beside(server, tasks)
            else:
                ready()
                await stop_signal(tasks)
        finally:
            for task in tasks:
                task.cancel()
            began = time.monotonic()
            _, hang = await asyncio.wait(tasks, timeout=STOP_SECONDS)  # what hangs then does not keep us
            log.info("background work ended", extra={"seconds": _since(began), "unfinished": len(hang)})


def _since(began: float) -> float:
    return round(time.monotonic() - began, 2)


async def secret_of(settings: Settings, db: Database) -> bytes:
    if settings.secret_key:
        return settings.secret_key.encode()
    async with db.anonymous() as connection:
        return (await installation_secret(connection)).encode()


async def _serve_http(
    settings: Settings,
    app: Any,
    feed: Feed,
    ready: Callable[[], None],
    listening: list[socket.socket] | None,
) -> None:
    server = _Server(_config(settings, app, settings.port), feed, ready)
    gc.freeze()  # modules and routes stay for ever: looking through them for garbage would only halt requests
    with _signals(lambda number: server.handle_exit(number, None)):
        await server.serve(listening)


async def _serve_beside(server: "_Server", tasks: list[asyncio.Task[Any]]) -> None:
    """Answers while the work goes on; ends with it, or with a stop signal."""
    serving = asyncio.create_task(server.serve())
    try:
        await stop_signal([*tasks, serving])
    finally:
        server.should_exit = True
        await serving


def _config(settings: Settings, app: Any, port: int) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        host=settings.host,
        port=port,
        loop="none",
        http=protocol(Limits(head=settings.head_seconds, body=settings.body_seconds)),
        log_config=None,
        access_log=False,
        ws="none",
        server_header=False,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=settings.trusted_proxies or None,
        timeout_graceful_shutdown=DRAIN_SECONDS,
        lifespan="off",
    )


class _Server(uvicorn.Server):
    """Closes live streams at shutdown, so that it need not wait for browsers to disconnect."""

    def __init__(self, config: uvicorn.Config, feed: Feed, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self.feed = feed
        self.ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self.ready()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals are heard by whoever runs this: the worker and the database are still to be stopped."""
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        began = time.monotonic()
        self.feed.close()
        await super().shutdown(sockets)
        log.info("requests ended", extra={"seconds": _since(began)})


async def stop_signal(tasks: list[asyncio.Task[Any]]) -> None:
    """Waits for one; raises what ended a task before."""
    stopped = asyncio.Event()
    with _signals(lambda _: stopped.set()):
        waiting = asyncio.create_task(stopped.wait())
        done, _ = await asyncio.wait([waiting, *tasks], return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
    for task in done - {waiting}:
        task.result()


@contextlib.contextmanager
def _signals(act: Callable[[int], None]) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, act, number)
    try:
        yield
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
