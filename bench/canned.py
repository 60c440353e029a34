"""A server that answers everything with the same bytes: what the load generator reaches at most.

Run as `python -m bench.canned PORT`.
"""

import asyncio
import sys
from typing import cast

import uvloop

ANSWER = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}"


class _Canned(asyncio.Protocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, _data: bytes) -> None:
        self.transport.write(ANSWER)


async def _serve(port: int) -> None:
    server = await asyncio.get_running_loop().create_server(_Canned, "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(_serve(int(sys.argv[1])))
