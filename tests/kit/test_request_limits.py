"""A request that does not come whole ends, on real sockets; one that is slow but comes does not."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from typing import Any

import pytest
import pytest_asyncio
import uvicorn

from goldloop.kit.request_limits import HEAD_BYTES, MOST_WAITING, LimitedProtocol, Limits, protocol
from tests.loops import some
from tests.servers import eventually

SHORT = Limits(head=1.0, body=1.0)
PATIENT = Limits(head=3600, body=3600)
WHOLE = b"GET / HTTP/1.1\r\nhost: t\r\n\r\n"
PATIENCE = 40.0  # seconds after which a test gives up; a busy machine is no fault of the code


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Answers with how many bytes of body came; `/stream` answers for ever; `/early` without reading the body."""
    size, more = 0, scope["path"] != "/early"
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        size += len(message["body"])
        more = message["more_body"]
    body = json.dumps({"size": size}).encode()
    headers = [] if scope["path"] == "/stream" else [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    if scope["path"] == "/stream":
        while True:
            await send({"type": "http.response.body", "body": b"tick", "more_body": True})
            await asyncio.sleep(0.1)
    await send({"type": "http.response.body", "body": body})


@asynccontextmanager
async def serving(limits: Limits) -> AsyncIterator[tuple[uvicorn.Server, int]]:
    config = uvicorn.Config(app, port=0, http=protocol(limits), lifespan="off", ws="none", log_config=None)
    config.timeout_graceful_shutdown = 1
    server = uvicorn.Server(config)
    server.capture_signals = nullcontext  # type: ignore[method-assign,assignment]
    task = asyncio.create_task(server.serve())

    async def started() -> bool:
        return server.started

    await eventually(started)
    yield server, server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    await task


@pytest_asyncio.fixture
async def short() -> AsyncIterator[int]:
    async with serving(SHORT) as (_, port):
        yield port


async def read_all(reader: asyncio.StreamReader) -> bytes:
    """Until the server closes; a reset is a close too."""
    received = b""
    try:
        while part := await asyncio.wait_for(reader.read(65536), PATIENCE):
            received += part
    except ConnectionError:
        pass
    return received


async def send(port: int, *parts: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for part in parts:
        writer.write(part)
    received = await read_all(reader)
    writer.close()
    return received


HALF_SENT = {
    "nothing": b"",
    "line breaks": b"\r\n\r\n",
    "half a method": b"PO",
    "half a head": b"POST / HTTP/1.1\r\nhost: t\r\ncontent-le",
    "a body that does not begin": b"POST / HTTP/1.1\r\nhost: t\r\ncontent-length: 9\r\n\r\n",
    "half a body": b"POST / HTTP/1.1\r\nhost: t\r\ncontent-length: 9\r\n\r\n1234",
    "half a body in parts": b"POST / HTTP/1.1\r\nhost: t\r\ntransfer-encoding: chunked\r\n\r\n5\r\n12345\r\n",
    "a body after its answer": b"POST /early HTTP/1.1\r\nhost: t\r\ncontent-length: 9\r\n\r\n1",
    "a second head": WHOLE + b"GET / HT",
}


@pytest.mark.parametrize("sent", HALF_SENT.values(), ids=HALF_SENT.keys())
async def test_two_hundred_half_sent_requests_end_and_others_are_answered_meanwhile(sent: bytes) -> None:
    async with serving(SHORT) as (server, port):
        waiting = [asyncio.create_task(send(port, sent)) for _ in range(200)]

        async def all_there() -> bool:
            return len(server.server_state.connections) >= 200 or any(task.done() for task in waiting)

        await eventually(all_there)
        assert b'{"size": 0}' in await send(port, WHOLE.replace(b"host", b"connection: close\r\nhost"))
        answers = await asyncio.gather(*waiting)
        assert all(answer.startswith(b"HTTP/1.1 408 ") or b"200 OK" in answer for answer in some(answers))

        async def all_gone() -> bool:
            return not server.server_state.connections and not server.server_state.tasks

        await eventually(all_gone)


@pytest.mark.parametrize("kind", ["half a head", "half a body", "half a body in parts"])
async def test_who_is_late_is_told_so(short: int, kind: str) -> None:
    head, _, body = (await send(short, HALF_SENT[kind])).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 408 Request Timeout\r\n")
    assert b"connection: close" in head
    assert json.loads(body)["code"] == "request_timeout"


async def test_a_head_that_trickles_ends_all_the_same(short: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", short)
    answer = asyncio.create_task(read_all(reader))
    writer.write(b"GET / HTTP/1.1\r\n")
    while not answer.done():
        writer.write(b"a: b\r\n")
        await asyncio.sleep(0.1)
    assert (await answer).startswith(b"HTTP/1.1 408 ")
    writer.close()


async def test_a_slow_upload_that_goes_on_is_taken() -> None:
    """What has come buys time: at this pace it takes several times as long as an upload that stands still is given."""
    async with serving(Limits(head=1.0, body=1.0)) as (_, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        size = 1024 * 1024
        writer.write(b"POST / HTTP/1.1\r\nhost: t\r\nconnection: close\r\ncontent-length: %d\r\n\r\n" % size)
        for _ in range(32):
            writer.write(b"x" * (size // 32))
            await asyncio.sleep(0.1)
        assert b'{"size": 1048576}' in await read_all(reader)
        writer.close()


async def test_an_answer_may_take_as_long_as_it_takes(short: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", short)
    writer.write(WHOLE.replace(b"GET /", b"GET /stream"))
    heard = b""
    while heard.count(b"tick") < 30:  # three times the limit and more
        part = await asyncio.wait_for(reader.read(65536), PATIENCE)
        assert part, heard
        heard += part
    writer.close()


async def test_requests_one_after_the_other_on_one_connection_are_answered(short: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", short)
    for _ in range(15):
        writer.write(WHOLE)
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)
        assert head.startswith(b"HTTP/1.1 200 ")
        await reader.readexactly(11)
        await asyncio.sleep(0.1)
    writer.close()


@pytest.mark.parametrize(
    "head",
    [
        b"GET / HTTP/1.1\r\na: " + b"x" * HEAD_BYTES,  # and no end
        b"GET / HTTP/1.1\r\na: " + b"x" * HEAD_BYTES + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * (HEAD_BYTES // 2) + b"\r\n",
        b"GET /" + b"x" * HEAD_BYTES + b" HTTP/1.1\r\n\r\n",
        b"\r\n" * HEAD_BYTES,
    ],
    ids=["endless", "one long", "many", "address", "line breaks"],
)
async def test_a_large_head_is_refused(head: bytes) -> None:
    async with serving(PATIENT) as (_, port):
        received = await send(port, head)
        assert received == b"" or received.startswith(b"HTTP/1.1 431 "), received[
            :100
        ]  # a reset may overtake the answer


async def test_a_head_of_the_usual_size_is_taken() -> None:
    async with serving(PATIENT) as (_, port):
        big = b"GET / HTTP/1.1\r\nconnection: close\r\ncookie: " + b"x" * (HEAD_BYTES // 2) + b"\r\n\r\n"
        assert (await send(port, big)).startswith(b"HTTP/1.1 200 ")


async def test_what_follows_a_body_without_end_is_refused() -> None:
    async with serving(PATIENT) as (_, port):
        received = await send(
            port,
            b"POST / HTTP/1.1\r\nhost: t\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n0\r\ntrailer: ",
            b"x" * 20 * HEAD_BYTES,
        )
        assert b" 200 " not in received


async def test_a_body_in_the_smallest_parts_is_taken() -> None:
    async with serving(PATIENT) as (_, port):
        head = b"POST / HTTP/1.1\r\nhost: t\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n"
        assert b'{"size": 20000}' in await send(port, head, b"1\r\nx\r\n" * 20_000, b"0\r\n\r\n")


async def test_few_requests_may_be_sent_ahead_and_many_may_not() -> None:
    async with serving(PATIENT) as (server, port):
        few = await send(port, WHOLE * 5 + WHOLE.replace(b"host", b"connection: close\r\nhost"))
        assert few.count(b"HTTP/1.1 200 ") == 6
        many = await send(port, WHOLE * (MOST_WAITING * 50))
        assert many.count(b"HTTP/1.1 200 ") <= MOST_WAITING

        async def all_gone() -> bool:
            return not server.server_state.connections and not server.server_state.tasks

        await eventually(all_gone)


def test_the_limits_are_those_of_the_settings() -> None:
    assert protocol(SHORT).limits == SHORT
    assert issubclass(protocol(SHORT), LimitedProtocol)
