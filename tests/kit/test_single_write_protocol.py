"""Head and body of an answer leave together, and nothing waits that has to leave alone."""

import asyncio

from goldloop.kit.single_write_protocol import HeadBufferingTransport

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
