"""Descriptions of requests, of which one definition serves both clients.

A method of a resource only describes: it returns a `Call`. Read through a blocking client, the same method runs the
call and returns its result; read through an asynchronous client, it returns something to await. The overloads of
`__get__` tell type checkers which of the two it is.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from functools import update_wrapper
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar, cast, overload
from urllib.parse import quote

import msgspec

from goldloop.client.errors import NotInTime
from goldloop.client.ids import Id

P = ParamSpec("P")
T = TypeVar("T")
Kind = TypeVar("Kind", covariant=True)

WAIT_SECONDS = 600.0  # as long as a run takes unless its agent is told otherwise
FIRST_PAUSE = 0.25  # seconds; a short run is over by then
LONGEST_PAUSE = 5.0
GROWTH = 1.5
PAGE_SIZE = 100  # rows fetched at a time by what pages by itself; the server gives at most 200


class Page(msgspec.Struct, Generic[T], frozen=True, kw_only=True):
    data: list[T]
    next_cursor: str | None = None


class Call(msgspec.Struct, Generic[T], frozen=True):
    """One request, not sent yet: the type of its answer, what fills the path, the query and the body."""

    answer: Any  # the type to decode, or None when there is nothing to read
    ids: tuple[object, ...] = ()
    query: Mapping[str, Any] = {}
    body: Any = None
    read: Callable[[Any], T] | None = None  # the result, where it is a part of the answer


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """A call with its route: all that a transport needs."""

    method: str
    path: str
    query: Mapping[str, Any]
    body: Any
    answer: Any
    safe: bool  # sent twice it does no more than once

    def at(self, cursor: str | None) -> "Request":
        query = {"limit": PAGE_SIZE, **self.query, "cursor": cursor}
        return msgspec.structs.replace(self, query=query)


class Blocking(Protocol):
    """A client that runs a request synchronously."""

    def send(self, request: Request) -> Any: ...


class Awaiting(Protocol):
    """A client that runs a request when awaited."""

    def send_async(self, request: Request) -> Awaitable[Any]: ...


class Resource(Generic[Kind]):
    """A group of methods, bound to the client that runs them."""

    def __init__(self, sender: Kind) -> None:
        self._sender = sender


class Route:
    """Where a method goes. `safe` marks it as idempotent; GET always is."""

    def __init__(self, method: str, path: str, safe: bool | None = None) -> None:
        self.method = method
        self.path = path
        self.safe = method == "GET" if safe is None else safe

    def request(self, call: Call[Any]) -> Request:
        parts = self.path.split("{")
        filled = parts[0] + "".join(
            quote(str(value), safe="") + part.partition("}")[2]
            for value, part in zip(call.ids, parts[1:], strict=True)
        )
        return Request(
            method=self.method,
            path=filled,
            query={name: value for name, value in call.query.items() if value is not None},
            body=call.body,
            answer=call.answer,
            safe=self.safe,
        )


class Operation(Generic[P, T]):
    """A method that makes one request."""

    def __init__(self, route: Route, describe: Callable[Concatenate[Any, P], Call[T]]) -> None:
        self.route = route
        self.describe = describe
        update_wrapper(cast("Any", self), describe)

    @overload
    def __get__(self, resource: None, owner: Any) -> "Operation[P, T]": ...
    @overload
    def __get__(self, resource: Resource[Blocking], owner: Any) -> Callable[P, T]: ...
    @overload
    def __get__(self, resource: Resource[Awaiting], owner: Any) -> Callable[P, Awaitable[T]]: ...
    def __get__(self, resource: Any, owner: Any) -> Any:
        if resource is None:
            return self
        sender = resource._sender

        def run(*args: P.args, **kwargs: P.kwargs) -> T:
            call = self.describe(resource, *args, **kwargs)
            return _read(call, sender.send(self.route.request(call)))

        async def run_async(*args: P.args, **kwargs: P.kwargs) -> T:
            call = self.describe(resource, *args, **kwargs)
            return _read(call, await sender.send_async(self.route.request(call)))

        return update_wrapper(run_async if hasattr(sender, "send_async") else run, self.describe)


class Listing(Generic[P, T]):
    """A method that goes through all pages of a list, fetching each when it comes to it."""

    def __init__(self, route: Route, describe: Callable[Concatenate[Any, P], Call[Page[T]]]) -> None:
        self.route = route
        self.describe = describe
        update_wrapper(cast("Any", self), describe)

    @overload
    def __get__(self, resource: None, owner: Any) -> "Listing[P, T]": ...
    @overload
    def __get__(self, resource: Resource[Blocking], owner: Any) -> Callable[P, Iterator[T]]: ...
    @overload
    def __get__(self, resource: Resource[Awaiting], owner: Any) -> Callable[P, AsyncIterator[T]]: ...
    def __get__(self, resource: Any, owner: Any) -> Any:
        if resource is None:
            return self
        sender = resource._sender

        def run(*args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
            return _pages(sender, self.route.request(self.describe(resource, *args, **kwargs)))

        def run_async(*args: P.args, **kwargs: P.kwargs) -> AsyncIterator[T]:
            return _pages_async(sender, self.route.request(self.describe(resource, *args, **kwargs)))

        return update_wrapper(run_async if hasattr(sender, "send_async") else run, self.describe)


class BlockingWait(Protocol[Kind]):
    """Returns what it waited for; raises `NotInTime` after so many seconds."""

    def __call__(self, id: Id, /, *, timeout: float = WAIT_SECONDS) -> Kind: ...


class AwaitedWait(Protocol[Kind]):
    """As `BlockingWait`, when awaited."""

    def __call__(self, id: Id, /, *, timeout: float = WAIT_SECONDS) -> Awaitable[Kind]: ...


class Polling(Generic[T]):
    """A method that reads something again and again until it is as it is waited for, with growing pauses."""

    def __init__(
        self, route: Route, describe: Callable[[Any, Id], Call[T]], until: Callable[[T], bool]
    ) -> None:
        self.route = route
        self.describe = describe
        self.until = until
        update_wrapper(cast("Any", self), describe)

    @overload
    def __get__(self, resource: None, owner: Any) -> "Polling[T]": ...
    @overload
    def __get__(self, resource: Resource[Blocking], owner: Any) -> BlockingWait[T]: ...
    @overload
    def __get__(self, resource: Resource[Awaiting], owner: Any) -> AwaitedWait[T]: ...
    def __get__(self, resource: Any, owner: Any) -> Any:
        if resource is None:
            return self
        sender = resource._sender

        def run(id: Id, /, *, timeout: float = WAIT_SECONDS) -> T:
            request, pauses = self.route.request(self.describe(resource, id)), Pauses(timeout)
            while True:
                found: T = sender.send(request)
                if self.until(found):
                    return found
                time.sleep(pauses.next(request))

        async def run_async(id: Id, /, *, timeout: float = WAIT_SECONDS) -> T:
            request, pauses = self.route.request(self.describe(resource, id)), Pauses(timeout)
            while True:
                found: T = await sender.send_async(request)
                if self.until(found):
                    return found
                await asyncio.sleep(pauses.next(request))

        return update_wrapper(run_async if hasattr(sender, "send_async") else run, self.describe)


class Pauses:
    """Between one reading and the next, until the time is over."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds
        self._pause = FIRST_PAUSE

    def next(self, request: Request) -> float:
        left = self._end - time.monotonic()
        if left <= 0:
            raise NotInTime(f"{request.path} is not what was waited for yet", code="not_in_time")
        pause, self._pause = self._pause, min(LONGEST_PAUSE, self._pause * GROWTH)
        return min(pause, left)


def polling(path: str, until: Callable[[T], bool]) -> Callable[[Callable[[Any, Id], Call[T]]], Polling[T]]:
    return lambda describe: Polling(Route("GET", path), describe, until)


def operation(
    method: str, path: str, *, safe: bool | None = None
) -> Callable[[Callable[Concatenate[Any, P], Call[T]]], Operation[P, T]]:
    return lambda describe: Operation(Route(method, path, safe), describe)


def listing(path: str) -> Callable[[Callable[Concatenate[Any, P], Call[Page[T]]]], Listing[P, T]]:
    return lambda describe: Listing(Route("GET", path), describe)


def _read(call: Call[T], answer: Any) -> T:
    return call.read(answer) if call.read else answer


def _pages(sender: Blocking, request: Request) -> Iterator[Any]:
    cursor = None
    while True:
        page: Page[Any] = sender.send(request.at(cursor))
        yield from page.data
        cursor = page.next_cursor
        if cursor is None:
            return


async def _pages_async(sender: Awaiting, request: Request) -> AsyncIterator[Any]:
    cursor = None
    while True:
        page: Page[Any] = await sender.send_async(request.at(cursor))
        for row in page.data:
            yield row
        cursor = page.next_cursor
        if cursor is None:
            return
