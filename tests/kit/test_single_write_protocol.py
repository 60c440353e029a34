"""Head and body of an answer leave together, and nothing waits that has to leave alone."""

import asyncio
import gc
import weakref
from collections.abc import Sequence
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from goldloop.kit.single_write_protocol import (
    COPIED_BYTES,
    WHOLE,
    HeadBufferingTransport,
    SingleWriteProtocol,
)

HEAD = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n"


class Transport:
    def __init__(self) -> None:
        self.writes: list[bytes] = []
        self.closed = False

    def write(self, data: bytes) -> None:
        self.writes.append(data)

    def writelines(self, parts: tuple[bytes, ...]) -> None:
        self.writes.append(b"".join(parts))

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed

    def get_extra_info(self, _name: str, default: Any = None) -> Any:
        return default

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


def holder() -> tuple[HeadBufferingTransport, Transport]:
    transport = Transport()
    return HeadBufferingTransport(transport, asyncio.get_running_loop()), transport


async def test_head_and_body_are_one_write() -> None:
    buffered, transport = holder()
    buffered.write(HEAD)
    buffered.write(b"{}")
    await asyncio.sleep(0)
    assert transport.writes == [HEAD + b"{}"]


async def test_a_head_whose_body_is_late_goes_ahead() -> None:
    buffered, transport = holder()
    buffered.write(HEAD)
    await asyncio.sleep(0)
    buffered.write(b"data: 1\n\n")
    assert transport.writes == [HEAD, b"data: 1\n\n"]


async def test_later_parts_of_a_body_do_not_wait() -> None:
    buffered, transport = holder()
    for part in (HEAD, b"a", b"b"):
        buffered.write(part)
    assert transport.writes == [HEAD + b"a", b"b"]


async def test_closing_sends_what_is_held() -> None:
    buffered, transport = holder()
    buffered.write(HEAD)
    buffered.close()
    assert transport.writes == [HEAD]
    assert buffered.is_closing()


async def answered(
    request: bytes,
    body: bytes = b"{}",
    *,
    paused: bool = False,
    default_headers: Sequence[tuple[bytes, bytes]] = (),
    app: Any = None,
) -> tuple[list[bool], Transport]:
    """Whether each request was answered whole, and what went out; where it was not, it is told to in the usual way."""
    said: list[bool] = []

    async def answer(scope: Any, _receive: Any, send: Any) -> None:
        said.append(scope["extensions"][WHOLE](200, b"x-one: 1\r\n", body))
        if not said[-1]:
            protocol.flow.resume_writing()
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
            await send({"type": "http.response.body", "body": b"{}"})

    config = uvicorn.Config(
        app or answer, http=SingleWriteProtocol, loop="none", log_config=None, lifespan="off"
    )
    config.load()
    state = ServerState()
    state.default_headers = list(default_headers)
    protocol = SingleWriteProtocol(config=config, server_state=state, app_state={})
    transport = Transport()
    protocol.connection_made(transport)
    if paused:
        protocol.pause_writing()
    protocol.data_received(request)
    while tasks := list(protocol.tasks):
        await asyncio.wait(tasks)
    await asyncio.sleep(0)  # for a head that waits for its body
    protocol.connection_lost(None)
    return said, transport


WHOLE_ANSWER = b"HTTP/1.1 200 OK\r\nx-one: 1\r\ncontent-length: 2\r\n\r\n{}"


async def test_a_whole_answer_is_one_write() -> None:
    said, transport = await answered(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    assert (said, transport.writes) == ([True], [WHOLE_ANSWER])


async def test_a_whole_answer_has_the_headers_that_every_answer_has() -> None:
    for date in (b"today", b"tomorrow"):
        _, whole = await answered(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", default_headers=[(b"date", date)])
        _, usual = await answered(b"HEAD / HTTP/1.1\r\nHost: a\r\n\r\n", default_headers=[(b"date", date)])
        for transport in (whole, usual):
            assert transport.writes[0].startswith(b"HTTP/1.1 200 OK\r\ndate: " + date + b"\r\n")


async def test_what_a_request_held_is_free_with_its_answer() -> None:
    """A cycle would keep it until garbage is collected."""
    kept: list[weakref.ref[Any]] = []

    class Held: ...

    async def app(scope: Any, _receive: Any, _send: Any) -> None:
        held = scope["held"] = Held()
        kept.append(weakref.ref(held))
        scope["extensions"][WHOLE](200, b"", b"{}")

    gc.disable()
    try:
        await answered(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n" * 2, app=app)
        assert [each() for each in kept] == [None, None]
    finally:
        gc.enable()


async def test_requests_that_were_sent_ahead_are_answered_in_turn() -> None:
    said, transport = await answered(b"GET /1 HTTP/1.1\r\nHost: a\r\n\r\n" * 3)
    assert (said, transport.writes) == ([True] * 3, [WHOLE_ANSWER] * 3)


async def test_a_large_body_goes_out_with_its_head() -> None:
    body = b"x" * (COPIED_BYTES + 1)
    said, transport = await answered(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", body)
    assert said == [True]
    assert transport.writes == [WHOLE_ANSWER.replace(b"length: 2", b"length: %d" % len(body))[:-2] + body]


@pytest.mark.parametrize(
    ("request_", "paused"),
    [
        (b"HEAD / HTTP/1.1\r\nHost: a\r\n\r\n", False),
        (b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", False),
        (b"GET / HTTP/1.0\r\nHost: a\r\n\r\n", False),
        (b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", True),
    ],
    ids=["without a body", "closed after it", "of an old client", "slow to read"],
)
async def test_what_takes_more_than_a_write_is_left_to_the_usual_way(request_: bytes, paused: bool) -> None:
    said, transport = await answered(request_, paused=paused)
    assert said == [False]
    assert b"".join(transport.writes).startswith(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n")
    assert b"".join(transport.writes).endswith(b"\r\n\r\n" if request_.startswith(b"HEAD") else b"{}")
