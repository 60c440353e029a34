"""An archive in the blob store: parts of one size, so that none is held whole in memory and any byte of it is found at once. Infrastructure.

Each try to write one has a folder of its own: two workers that take themselves for the only one never mix their parts.
"""

from collections.abc import AsyncIterator
from contextlib import suppress
from typing import NamedTuple
from uuid import UUID

from goldloop.archives.export_service import FOLDER
from goldloop.kit.blobs import BlobStore, BlobStoreFailed

PART = 8 << 20  # bytes


class Place(NamedTuple):
    """Where a try to write an archive has its parts."""

    tenant_id: UUID
    archive_id: UUID
    attempt: UUID

    @property
    def folder(self) -> str:
        return f"{archive_folder(self.tenant_id, self.archive_id)}{self.attempt}/"

    def part(self, number: int) -> str:
        return f"{self.folder}{number:06}"


def archive_folder(tenant_id: UUID, archive_id: UUID) -> str:
    return f"{tenant_id}/{FOLDER}/{archive_id}/"


class PartWriter:
    def __init__(self, blobs: BlobStore, place: Place) -> None:
        self.blobs = blobs
        self.place = place
        self.written = 0
        self._waiting = bytearray()

    async def add(self, content: bytes) -> None:
        self._waiting += content
        while len(self._waiting) >= PART:
            await self._put(bytes(self._waiting[:PART]))
            del self._waiting[:PART]

    async def finish(self) -> None:
        if self._waiting:
            await self._put(bytes(self._waiting))

    async def _put(self, part: bytes) -> None:
        await self.blobs.put(self.place.part(self.written), part)
        self.written += 1


async def read(blobs: BlobStore, place: Place, start: int, end: int) -> AsyncIterator[bytes]:
    """The bytes from `start` up to `end`. Raises BlobStoreFailed, also where a part is gone."""
    at = start
    while at < end:
        number, offset = divmod(at, PART)
        part = await blobs.get(place.part(number))
        if part is None:
            raise BlobStoreFailed("A part of the archive is gone")
        piece = part[offset : offset + end - at]
        if not piece:
            raise BlobStoreFailed("A part of the archive is not whole")
        yield piece
        at += len(piece)


async def remove(blobs: BlobStore, tenant_id: UUID, archive_id: UUID, *, keep: UUID | None = None) -> None:
    """The parts of all tries, or of all but one."""
    folder = archive_folder(tenant_id, archive_id)
    kept = f"{folder}{keep}/"
    async for key in blobs.keys(folder):
        if keep is None or not key.startswith(kept):
            await blobs.delete(key)


async def remove_try(blobs: BlobStore, place: Place) -> None:
    """Of a try that came to nothing; what cannot be removed now goes with the archive."""
    with suppress(BlobStoreFailed):
        async for key in blobs.keys(place.folder):
            await blobs.delete(key)
