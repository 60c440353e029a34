"""The two clients: the same methods, run at once or when awaited."""

import asyncio
import os
import random
import time
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import httpx

from goldloop.client import wire
from goldloop.client.background import Background
from goldloop.client.calls import Awaiting, Blocking, Request
from goldloop.client.errors import GoldloopError, NotConfigured
from goldloop.client.recording import Recorder
from goldloop.client.resources import Resources
from goldloop.client.retries import PASSING, RetryPolicy

if TYPE_CHECKING:
    from goldloop.client.journal import Journal

URL_VARIABLE = "GOLDLOOP_URL"
KEY_VARIABLE = "GOLDLOOP_KEY"
DEFAULT_TIMEOUT = 10.0  # seconds for one attempt; a call has `RetryPolicy.budget` in all
CLOSING_SECONDS = 5.0  # for what is still queued when a client is closed


class Client(Resources[Blocking], Recorder):
    """Goldloop for scripts and threads. Methods raise `GoldloopError`; `background` never raises nor waits."""

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        timeout: float = DEFAULT_TIMEOUT,
        retry: RetryPolicy | None = None,
        queue_size: int = Background.DEFAULT_SIZE,
        spill: str | os.PathLike[str] | None = None,
        spill_bytes: int = Background.DEFAULT_BYTES,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        url, key = _configured(url, key)
        self.url = url.rstrip("/")  # of the server, where its pages are as well
        self._tenant: str | None = None  # the slug of the key's workspace, once it was asked for
        self._http = httpx.Client(
            base_url=url, headers=wire.headers(key), timeout=_bounded(timeout), transport=transport
        )
        self._retry = retry or RetryPolicy()
        self.background = Background(self.send_once, queue_size, _journal(spill, url, key), spill_bytes)
        super().__init__(self)

    def send(self, request: Request) -> Any:
        """Run a request, again where that does no harm. Methods use this; it is rarely called by itself."""
        started, attempt = time.monotonic(), 1
        while True:
            try:
                return self.send_once(request)
            except GoldloopError as failure:
                wait = _wait(self._retry, request, failure, attempt, time.monotonic() - started)
                if wait is None:
                    raise
            time.sleep(wait)
            attempt += 1

    def send_once(self, request: Request) -> Any:
        if wire.names_workspace(request):
            if self._tenant is None:
                self._tenant = self.send_once(wire.WORKSPACE).slug
            request = wire.in_workspace(request, self._tenant)
        try:
            return wire.read_answer(request, self._http.request(**wire.arguments(request)))
        except httpx.TransportError as error:
            raise wire.connection_failed(request, error) from error

    def flush(self, timeout: float = CLOSING_SECONDS) -> bool:
        """Wait until the background queue is empty; False when it is not in time."""
        return self.background.flush(timeout)

    def close(self) -> None:
        self.background.close(CLOSING_SECONDS)
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncClient(Resources[Awaiting], Recorder):
    """Goldloop for asyncio. The same methods as `Client`, to be awaited; lists are for `async for`."""

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        timeout: float = DEFAULT_TIMEOUT,
        retry: RetryPolicy | None = None,
        queue_size: int = Background.DEFAULT_SIZE,
        spill: str | os.PathLike[str] | None = None,
        spill_bytes: int = Background.DEFAULT_BYTES,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        url, key = _configured(url, key)
        self._tenant: str | None = None  # the slug of the key's workspace, once it was asked for
        self._http = httpx.AsyncClient(
            base_url=url, headers=wire.headers(key), timeout=_bounded(timeout), transport=transport
        )
        self._retry = retry or RetryPolicy()
        self._blocking: Client | None = None
        self._make_blocking = partial(Client, url, key, timeout=timeout)
        self.background = Background(self._send_blocking, queue_size, _journal(spill, url, key), spill_bytes)
        super().__init__(self)

    async def send_async(self, request: Request) -> Any:
        """As `Client.send`."""
        started, attempt = time.monotonic(), 1
        while True:
            try:
                return await self.send_once(request)
            except GoldloopError as failure:
                wait = _wait(self._retry, request, failure, attempt, time.monotonic() - started)
                if wait is None:
                    raise
            await asyncio.sleep(wait)
            attempt += 1

    async def send_once(self, request: Request) -> Any:
        if wire.names_workspace(request):
            if self._tenant is None:
                self._tenant = (await self.send_once(wire.WORKSPACE)).slug
            request = wire.in_workspace(request, self._tenant)
        try:
            return wire.read_answer(request, await self._http.request(**wire.arguments(request)))
        except httpx.TransportError as error:
            raise wire.connection_failed(request, error) from error

    async def flush(self, timeout: float = CLOSING_SECONDS) -> bool:
        """Wait until the background queue is empty; False when it is not in time."""
        return await asyncio.to_thread(self.background.flush, timeout)

    async def aclose(self) -> None:
        await asyncio.to_thread(self.background.close, CLOSING_SECONDS)
        if self._blocking is not None:
            self._blocking.close()
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def _send_blocking(self, request: Request) -> Any:
        """For the queue's thread, which has no event loop and needs connections of its own."""
        if self._blocking is None:
            self._blocking = self._make_blocking()
        return self._blocking.send_once(request)


def _wait(
    policy: RetryPolicy, request: Request, failure: GoldloopError, attempt: int, elapsed: float
) -> float | None:
    passing = failure.code == "connection_failed" or failure.status in PASSING
    if not request.safe or not passing:
        return None
    return policy.wait(
        attempt=attempt, elapsed=elapsed, retry_after=failure.retry_after, chance=random.random()
    )


def _configured(url: str | None, key: str | None) -> tuple[str, str]:
    url, key = url or os.environ.get(URL_VARIABLE), key or os.environ.get(KEY_VARIABLE)
    if not url or not key:
        missing = " and ".join(
            name for name, value in ((URL_VARIABLE, url), (KEY_VARIABLE, key)) if not value
        )
        raise NotConfigured(f"Give the client its url and key, or set {missing}", code="not_configured")
    return url, key


def _journal(folder: str | os.PathLike[str] | None, url: str, key: str) -> "Journal | None":
    if folder is None:
        return None
    from goldloop.client.journal import Journal  # needs `flock`, which Windows does not have

    return Journal(folder, url, key)


def _bounded(timeout: float) -> httpx.Timeout:
    if not 0 < timeout < float("inf"):
        raise ValueError("A timeout is a positive number of seconds")
    return httpx.Timeout(timeout, connect=min(timeout, 5.0))
