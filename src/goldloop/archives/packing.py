"""Packs the files of an archive into one zip, with their sums, while they are read: bounded memory, whatever the size. Infrastructure.

Compressing and summing is done in a thread, beside whoever reads on; what comes out is given to `put` in order.
"""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable

from goldloop.archives.model import FileSum
from goldloop.kit.zip_stream import ZipStream

PIECE = 1 << 20  # bytes that are packed at once; at most three are in memory
Put = Callable[[bytes], Awaitable[None]]


class Packer:
    def __init__(self, put: Put) -> None:
        self.put = put
        self.zip = ZipStream()
        self.rows = 0  # of all files so far
        self._waiting = bytearray()
        self._packing: asyncio.Task[bytes] | None = None
        self._sum = hashlib.sha256()
        self._rows = self._bytes = 0

    async def begin(self, name: str) -> None:
        await self.put(self.zip.begin(name))
        self._sum, self._rows, self._bytes = hashlib.sha256(), 0, 0

    async def add(self, content: bytes) -> None:
        """Whole lines or parts of them."""
        self._waiting += content
        if len(self._waiting) >= PIECE:
            await self._flush()

    async def end(self) -> FileSum:
        await self._flush()
        await self._settle()
        await self.put(self.zip.end())
        return FileSum(rows=self._rows, bytes=self._bytes, sha256=self._sum.hexdigest())

    async def finish(self) -> int:
        """How large the archive is."""
        await self.put(self.zip.finish())
        return self.zip.written

    async def close(self) -> None:
        """Where it was not finished: nothing goes on in a thread."""
        if self._packing is not None:
            await asyncio.wait([self._packing])

    async def _flush(self) -> None:
        """Pack what waits while the next is read."""
        await self._settle()
        piece = bytes(self._waiting)
        self._waiting.clear()
        self._packing = asyncio.create_task(asyncio.to_thread(self._pack, piece))

    async def _settle(self) -> None:
        if self._packing is not None:
            packed, self._packing = await self._packing, None
            if packed:
                await self.put(packed)

    def _pack(self, piece: bytes) -> bytes:
        self._sum.update(piece)
        lines = piece.count(b"\n")
        self._rows += lines
        self.rows += lines
        self._bytes += len(piece)
        return self.zip.add(piece)
