"""The background queue on disk, for what must outlive the process. Infrastructure.

Each process has a file of its own in the folder, locked (`flock`) for as long as it lives. What is queued is appended, and
so is the fact that something was sent. A file that nobody has locked was left by a process that ended: whoever opens the
folder next with the same address and key takes over what it had not sent. Each line begins with its checksum; what was cut
off or damaged is left out.
"""

import contextlib
import fcntl
import hashlib
import logging
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from uuid import uuid4

import msgspec

from goldloop.client.queue import Queued

log = logging.getLogger("goldloop.client")

SUFFIX = ".queue"
SMALL = 1024 * 1024  # bytes: a file that is no longer is not worth being written anew
LINE_BYTES = 512  # of a line beside the body, more than it is

StrPath = str | os.PathLike[str]


class _Line(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Either something that was queued, or the numbers of what was sent, refused or dropped."""

    queued: Queued | None = None
    done: list[int] = []


class Journal:
    """Not for several threads at once. What touches the disk may raise `OSError`."""

    def __init__(self, folder: StrPath, url: str, key: str) -> None:
        self._folder = Path(folder)
        self._owner = hashlib.sha256(f"{url}\n{key}".encode()).hexdigest()[:16]
        self._path = self._folder  # of its own file, once that is open
        self._file: int | None = None
        self._size = 0

    def __str__(self) -> str:
        return str(self._folder)

    def has_left(self) -> bool:
        """Whether there are files of this address and key, be it of a process that lives."""
        return any(self._folder.glob(f"{self._owner}-*{SUFFIX}"))

    def open(self) -> list[Queued]:
        """Begins a file, and returns what processes that have ended did not send: the oldest file first, numbered -1, -2
        and so on, and written into the new file; theirs are removed."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._begin()
        taken: list[Queued] = []
        for path in self._others():
            with _unlocked(path) as content:
                if content is None:
                    continue
                found = [
                    msgspec.structs.replace(each, number=-len(taken) - place)
                    for place, each in enumerate(_unsent(path, content), start=1)
                ]
                self.append(found)
                path.unlink()
                taken += found
        return taken

    def append(self, queued: Iterable[Queued], done: Sequence[int] = ()) -> None:
        assert self._file is not None
        waiting = b"".join(_encode(_Line(queued=each)) for each in queued)
        self._write(waiting + (_encode(_Line(done=list(done))) if done else b""))
        if waiting:
            os.fsync(self._file)  # what was sent may be forgotten: sent again, it changes nothing

    def is_wasteful(self, count: int, size: int) -> bool:
        """Whether most of the file is about what does not wait any more; `count` submissions with `size` bytes do."""
        return self._size > max(SMALL if count else 0, 2 * (size + count * LINE_BYTES))

    def rewrite(self, waiting: Sequence[Queued]) -> None:
        """Only with what waits; where that fails, the file is as before."""
        assert self._file is not None
        if not waiting:
            os.ftruncate(self._file, 0)
            self._size = 0
            return
        before = self._path, self._file, self._size
        self._begin()
        try:
            self.append(waiting)
        except OSError:
            self.close(is_empty=True)
            self._path, self._file, self._size = before
            raise
        before[0].unlink(missing_ok=True)
        os.close(before[1])

    def close(self, *, is_empty: bool) -> None:
        if self._file is not None and is_empty:
            self._path.unlink(missing_ok=True)
        self.forget()

    def forget(self) -> None:
        """Leaves the file as it is: in a forked process it is the parent's."""
        if self._file is not None:
            os.close(self._file)
        self._file, self._size = None, 0

    def _others(self) -> list[Path]:
        found = [path for path in self._folder.glob(f"*{SUFFIX}") if path != self._path]
        own = [path for path in found if path.name.startswith(f"{self._owner}-")]
        if len(found) > len(own):
            log.warning("%d files in %s are for another address or key", len(found) - len(own), self)
        return sorted(own, key=_changed_at)

    def _begin(self) -> None:
        """It has its name only when it is locked, so that nobody takes it for one that was left."""
        name = f"{self._owner}-{os.getpid()}-{uuid4().hex}"
        path = self._folder / f"{name}.new"
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._path = path.rename(self._folder / f"{name}{SUFFIX}")
        except OSError:
            os.close(file)
            raise
        self._file, self._size = file, 0

    def _write(self, content: bytes) -> None:
        """All of it or nothing: half a line would spoil the next."""
        assert self._file is not None
        written = 0
        try:
            while written < len(content):
                written += os.write(self._file, content[written:])
        except OSError:
            os.ftruncate(self._file, self._size)
            raise
        self._size += written


@contextlib.contextmanager
def _unlocked(path: Path) -> Iterator[bytes | None]:
    """What is in a file that nobody has locked; None where somebody has, or was faster to take it over."""
    try:
        file = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        yield None
        return
    try:
        yield _content(path, file)
    finally:
        os.close(file)


def _content(path: Path, file: int) -> bytes | None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        is_there = path.stat().st_ino == os.fstat(file).st_ino
    except (BlockingIOError, FileNotFoundError):
        return None
    return path.read_bytes() if is_there else None


def _encode(line: _Line) -> bytes:
    content = msgspec.json.encode(line)
    return b"%08x %s\n" % (zlib.crc32(content), content)


def _decode(line: bytes) -> _Line | None:
    """None for a line that was cut off or damaged."""
    checksum, _, content = line.partition(b" ")
    try:
        return msgspec.json.decode(content, type=_Line) if int(checksum, 16) == zlib.crc32(content) else None
    except (ValueError, msgspec.MsgspecError):
        return None


def _unsent(path: Path, content: bytes) -> list[Queued]:
    lines = [_decode(line) for line in content.split(b"\n") if line]
    if damaged := lines.count(None):
        log.warning("%d lines of %s were damaged and are left out", damaged, path)
    waiting: dict[int, Queued] = {}
    for line in lines:
        if line is not None and line.queued is not None:
            waiting[line.queued.number] = line.queued
        for number in line.done if line is not None else []:
            waiting.pop(number, None)
    return list(waiting.values())


def _changed_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:  # taken over meanwhile
        return 0.0
