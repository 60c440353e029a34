"""Zip files written front to back, of entries whose size nobody knows before: what `unzip` and every language reads. Pure.

Entries are compressed and of any size (zip64); nothing that was written is touched again, so that a file can go where only
appending is possible.
"""

import struct
import zlib
from dataclasses import dataclass, field
from typing import Any

try:
    from isal import isal_zlib as deflate
except ImportError:  # on other processors: the same format, at several times the cost
    import zlib as deflate  # type: ignore[no-redef]

LEVEL = 1  # a third of the size at the least cost
_RAW = -15  # deflate without a head of its own
_VERSION = 45  # the first that knows zip64
_FLAGS = 0x0808  # sizes come after the data; names are UTF-8
_DEFLATED = 8
_EPOCH = (1 << 5 | 1) << 16  # 1980-01-01, the first day that zip knows: the same rows make the same file
_MODE = 0o100644 << 16
_FULL, _FULL_SHORT = 0xFFFFFFFF, 0xFFFF


@dataclass(slots=True)
class _Entry:
    name: bytes
    offset: int
    packer: Any
    crc: int = 0
    size: int = 0
    packed: int = 0


@dataclass(slots=True)
class ZipStream:
    """`begin` an entry, `add` to it, `end` it, and `finish` the file; each returns what comes next in it."""

    written: int = 0
    _done: list[_Entry] = field(default_factory=list)
    _open: _Entry | None = None

    def begin(self, name: str) -> bytes:
        assert self._open is None
        packer = deflate.compressobj(LEVEL, deflate.DEFLATED, _RAW)
        self._open = _Entry(name.encode(), self.written, packer)
        # A size in the head that is not known yet is 0; with the extra field readers take the sizes behind the data as 64 bits.
        extra = struct.pack("<HHQQ", 1, 16, 0, 0)
        head = struct.pack(
            "<IHHHIIIIHH", 0x04034B50, _VERSION, _FLAGS, _DEFLATED, _EPOCH, 0, _FULL, _FULL,
            len(self._open.name), len(extra),
        )  # fmt: skip
        return self._out(head + self._open.name + extra)

    def add(self, content: bytes) -> bytes:
        entry = self._open
        assert entry is not None
        entry.crc = zlib.crc32(content, entry.crc)
        entry.size += len(content)
        packed: bytes = entry.packer.compress(content)
        entry.packed += len(packed)
        return self._out(packed)

    def end(self) -> bytes:
        entry = self._open
        assert entry is not None
        rest: bytes = entry.packer.flush()
        entry.packed += len(rest)
        entry.packer = None
        self._done.append(entry)
        self._open = None
        return self._out(rest + struct.pack("<IIQQ", 0x08074B50, entry.crc, entry.packed, entry.size))

    def finish(self) -> bytes:
        assert self._open is None
        directory = b"".join(map(_listed, self._done))
        count, start = len(self._done), self.written
        end64 = struct.pack(
            "<IQHHIIQQQQ", 0x06064B50, 44, _VERSION, _VERSION, 0, 0, count, count, len(directory), start
        )
        locator = struct.pack("<IIQI", 0x07064B50, 0, start + len(directory), 1)
        end = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, _FULL_SHORT, _FULL_SHORT, _FULL, _FULL, 0)
        return self._out(directory + end64 + locator + end)

    def _out(self, content: bytes) -> bytes:
        self.written += len(content)
        return content


def _listed(entry: _Entry) -> bytes:
    extra = struct.pack("<HHQQQ", 1, 24, entry.size, entry.packed, entry.offset)
    head = struct.pack(
        "<IHHHHIIIIHHHHHII", 0x02014B50, 3 << 8 | _VERSION, _VERSION, _FLAGS, _DEFLATED, _EPOCH, entry.crc,
        _FULL, _FULL, len(entry.name), len(extra), 0, 0, 0, _MODE, _FULL,
    )  # fmt: skip
    return head + entry.name + extra
