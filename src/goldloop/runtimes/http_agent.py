"""The HTTP runtime: an agent at an address of its owner is called once, and what it tells is recorded as it comes. Infrastructure.

A call is sent again only while nothing can have come of it: where nobody listens, or where the agent says that it is busy.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

from goldloop.agents.model import SecretName
from goldloop.kit.at_first_use import httpx
from goldloop.kit.clock import now
from goldloop.kit.egress import HostNotAllowed, NotAUrl
from goldloop.kit.outside import Outside
from goldloop.runtimes.agent_events import read_object
from goldloop.runtimes.event_stream import EventStream
from goldloop.runtimes.http_contract import (
    MOST_ANSWER_BYTES,
    body,
    headers,
    read_answer,
    read_output,
    wait_of,
)
from goldloop.runtimes.model import RunFailed, RunPlan
from goldloop.runtimes.run_keys import RUN_KEY, grant_of
from goldloop.runtimes.session_log import SessionLog
from goldloop.runtimes.unsealing import unsealed

CONNECT_SECONDS = 10.0
SEND_SECONDS = 30.0
SILENT_SECONDS = 120.0  # of an answer that has begun; a comment now and then keeps a stream alive
TRIES = 4  # of a call that nothing can have come of
WAIT_SECONDS = 0.5  # before an agent that nobody listens for is called again, doubled each time
MESSAGE_CHARACTERS = 2000  # of an error
SHOWN_BYTES = 500  # of what an agent says beside an error status
NAME_CHARACTERS = 100  # of what an agent calls something, in an error
CANNOT_BE_SENT = "The agent's http_secret cannot be sent in a header: set one of printable ASCII characters"


async def run(plan: RunPlan, log: SessionLog, outside: Outside) -> Any:
    secret = unsealed(plan, outside, SecretName.HTTP_SECRET)
    if secret and not (secret.isascii() and secret.isprintable()):
        raise RunFailed("secret_unreadable", CANNOT_BE_SENT)
    token = outside.signer.sign(RUN_KEY, grant_of(plan, now().timestamp()))
    log.redaction.hide(token)
    call = _Call(plan, log, outside, secret, token)
    return await log.take_output(await call.make(), plan.brief.output_schema)


class _Call:
    def __init__(
        self, plan: RunPlan, log: SessionLog, outside: Outside, secret: str | None, token: str
    ) -> None:
        assert plan.config.url is not None
        self._url = plan.config.url
        self._log = log
        self._egress = outside.egress
        self._headers = headers(plan, secret)
        self._body = body(plan, outside.public_url, token)

    async def make(self) -> Any:
        try:
            await self._egress.check(self._url)
        except HostNotAllowed as error:
            raise RunFailed("host_not_allowed", str(error)) from error
        except NotAUrl as error:
            raise RunFailed("invalid_url", str(error)) from error
        trace = self._headers["traceparent"]
        await self._log.begin_handing_over({"url": shown_url(self._url), "traceparent": trace})
        timeout = httpx.Timeout(None, connect=CONNECT_SECONDS, write=SEND_SECONDS)
        async with self._egress.client(timeout=timeout) as client:
            for attempt in range(TRIES):
                wait = await self._try(client, last=attempt == TRIES - 1)
                if not isinstance(wait, _Wait):
                    return wait
                await asyncio.sleep(wait.seconds or WAIT_SECONDS * 2**attempt)
        raise AssertionError("the last try answers or fails")

    async def _try(self, client: httpx.AsyncClient, *, last: bool) -> Any | _Wait:
        """The output, or how long to wait before the next try."""
        try:
            async with client.stream(
                "POST", self._url, content=self._body, headers=self._headers, follow_redirects=False
            ) as response:
                wait = wait_of(response.status_code, response.headers.get("retry-after"))
                if wait is not None and not last:
                    return _Wait(max(wait, 0.01))
                return await self._read(response)
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            if (refused := _refusal(error)) is not None:
                raise RunFailed("host_not_allowed", str(refused)) from error
            if last:
                raise RunFailed("agent_unreachable", f"Nobody answers at {shown_url(self._url)}") from error
            return _Wait(None)
        except httpx.TimeoutException as error:
            raise RunFailed("agent_timed_out", "The agent did not take the call in time") from error
        except (httpx.TransportError, httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
            raise _broken(error) from error

    async def _read(self, response: httpx.Response) -> Any:
        if not response.is_success:
            raise RunFailed("agent_failed", await _refused(response))
        if response.headers.get("content-encoding", "identity") != "identity":
            raise _unreadable("The agent's answer is compressed, which was not asked for")
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind == "text/event-stream":
            return await self._read_stream(response)
        if kind == "application/json" or kind.endswith("+json"):
            return await self._read_json(response)
        raise _unreadable(
            f"The agent answered with {self._shown(kind) or 'no content type'}, not JSON or an event stream"
        )

    async def _read_json(self, response: httpx.Response) -> Any:
        whole = bytearray()
        async with aclosing(_pieces(response)) as pieces:
            async for piece in pieces:
                whole += piece
                if len(whole) > MOST_ANSWER_BYTES:
                    raise _unreadable(f"The agent's answer is longer than {MOST_ANSWER_BYTES:,} bytes")
        answer = read_answer(bytes(whole))
        for kind, payload in answer.events:
            await self._tell(kind, payload)
        return answer.output

    async def _read_stream(self, response: httpx.Response) -> Any:
        stream = EventStream()
        async with aclosing(_pieces(response)) as pieces:
            async for piece in pieces:
                for name, data in stream.feed(piece):
                    payload = read_object(data, f"The agent's event {self._shown(name) or 'without a name'}")
                    if name == "done":
                        return read_output(payload)
                    if name == "error":
                        raise RunFailed("agent_failed", _why(payload))
                    await self._tell(name, payload)
        raise _unreadable("The agent's events ended without done or error")

    def _shown(self, name: str) -> str:
        return self._log.redaction.text(name)[:NAME_CHARACTERS]

    async def _tell(self, kind: str, payload: dict[str, Any]) -> None:
        if (fault := self._log.find_fault(kind, payload)) is not None:
            raise _unreadable(f"An event of the agent cannot be used: {fault}")
        await self._log.emit(kind, payload)


class _Wait:
    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds


async def _pieces(response: httpx.Response) -> AsyncGenerator[bytes, None]:
    pieces = aiter(response.aiter_raw())
    while True:
        try:
            async with asyncio.timeout(SILENT_SECONDS) as clock:
                piece = await anext(pieces)
        except StopAsyncIteration:
            return
        except TimeoutError:
            if not clock.expired():
                raise
            raise RunFailed(
                "agent_timed_out",
                f"The agent said nothing for {SILENT_SECONDS:g} seconds in the middle of its answer",
            ) from None
        yield piece


async def _refused(response: httpx.Response) -> str:
    if response.is_redirect:
        return f"The agent answered {response.status_code}: redirects are not followed"
    shown = b""
    async with aclosing(_pieces(response)) as pieces:
        async for piece in pieces:
            shown += piece
            if len(shown) >= SHOWN_BYTES:
                break
    text = shown[:SHOWN_BYTES].decode(errors="replace").replace("\x00", "\ufffd")
    return f"The agent answered {response.status_code}: {text}"


def _why(payload: dict[str, Any]) -> str:
    return str(payload.get("message") or "The agent does not say why")[:MESSAGE_CHARACTERS]


def shown_url(url: str) -> str:
    """Without what may be secret in it."""
    return str(httpx.URL(url).copy_with(userinfo=b"", query=None, fragment=None))


def _refusal(error: BaseException | None) -> HostNotAllowed | None:
    """Why there was no connection, if it is that the address is not allowed."""
    while error is not None:
        if isinstance(error, HostNotAllowed):
            return error
        error = error.__cause__ or error.__context__
    return None


def _broken(error: Exception) -> RunFailed:
    """A connection that ended before the answer did, or that does not speak HTTP."""
    text = str(error)
    if isinstance(error, httpx.RemoteProtocolError) and "disconnected" not in text and "closed" not in text:
        return _unreadable(f"The agent does not answer in HTTP: {text}")
    return RunFailed("agent_failed", f"The connection to the agent broke: {text or type(error).__name__}")


def _unreadable(why: str) -> RunFailed:
    return RunFailed("agent_answer_unreadable", why)
