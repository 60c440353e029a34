"""An answer leaves in one write. uvicorn writes its head and its body one after the other, and each would be
a system call of ours, a packet, and a wake-up of the client, who cannot do anything with a head alone."""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


class OneWriteProtocol(HttpToolsProtocol):
    def connection_made(self, transport: Any) -> None:
        super().connection_made(HeadHolder(transport, self.loop))  # type: ignore[arg-type]


class HeadHolder:
    """A transport that keeps the head of an answer until the body comes, or until the loop's next turn."""

    __slots__ = ("_held", "_loop", "_transport")

    def __init__(self, transport: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._held = b""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        if self._held:
            held, self._held = self._held, b""
            self._transport.writelines((held, data))
        elif data.startswith(b"HTTP/1.1 "):
            self._held = data
            self._loop.call_soon(self._let_go)
        else:
            self._transport.write(data)

    def close(self) -> None:
        self._let_go()
        self._transport.close()

    def _let_go(self) -> None:
        if self._held:
            held, self._held = self._held, b""
            self._transport.write(held)
