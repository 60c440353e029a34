"""One keep-alive connection to the server that sends a request after the other, and fails where one is refused."""

import asyncio
import json
from typing import Any

from bench.load import RequestFailed, is_whole, request


class Client:
    def __init__(self, port: int, secret: str) -> None:
        self.port, self.secret = port, secret
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    def build(self, method: str, path: str, body: Any = None) -> bytes:
        sent = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        return request(method, path, self.secret, sent)

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        answer = await self.send(self.build(method, path, body))
        content = answer.partition(b"\r\n\r\n")[2]
        return json.loads(content) if content else None

    async def send(self, sent: bytes) -> bytes:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self._streams
        writer.write(sent)
        received = b""
        while not (received and _is_done(received)):
            piece = await reader.read(1 << 16)
            if not piece:
                raise ConnectionResetError("the server closed the connection")
            received += piece
        if received[9:10] != b"2":
            head = sent.split(b"\r\n", 1)[0].decode()
            raise RequestFailed(f"{head}: {received.decode(errors='replace')}")
        return received

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
        self._streams = None


def _is_done(received: bytes) -> bool:
    if received.startswith(b"HTTP/1.1 204") and b"\r\n\r\n" in received:
        return True
    if b"\r\n\r\n" in received and b"chunked" in received.partition(b"\r\n\r\n")[0].lower():
        return received.endswith(b"0\r\n\r\n")
    return is_whole(received)
