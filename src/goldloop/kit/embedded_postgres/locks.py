"""Locks between processes, which the system releases when their holder dies, however it dies."""

import fcntl
import json
import os
from pathlib import Path

from goldloop.kit.embedded_postgres.layout import own_like_folder
from goldloop.kit.embedded_postgres.model import EmbeddedPostgresError, Holder, HolderKind


class FileLock:
    """One flock. Its exclusive holder can write its name into the file, for messages and decisions: that of this process, or
    `pid`, the one that it works for."""

    def __init__(self, path: Path, pid: int | None = None) -> None:
        self.path = path
        self._pid = pid
        self._handle: int | None = None

    @property
    def is_held(self) -> bool:
        return self._handle is not None

    def try_exclusive(self, kind: HolderKind) -> bool:
        if not self._try(fcntl.LOCK_EX):
            return False
        assert self._handle is not None
        text = json.dumps({"kind": kind, "pid": self._pid or os.getpid()}).encode()
        os.pwrite(self._handle, text, 0)
        os.ftruncate(self._handle, len(text))
        return True

    def try_shared(self) -> bool:
        return self._try(fcntl.LOCK_SH)

    def release(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def release_exclusive(self) -> None:
        """As `release`, and removes the holder's name from the file."""
        if self._handle is not None:
            os.ftruncate(self._handle, 0)
        self.release()

    def _try(self, mode: int) -> bool:
        try:
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                own_like_folder(handle, self.path.parent)
                fcntl.flock(handle, mode | fcntl.LOCK_NB)
            except BaseException:
                os.close(handle)
                raise
        except BlockingIOError:
            return False
        except OSError as error:
            raise EmbeddedPostgresError(f"{self.path} could not be locked: {error.strerror}.") from error
        self._handle = handle
        return True


def find_holder(path: Path) -> Holder | None:
    """The name left in a lock file. After a crash it is a dead process's: compare with the processes."""
    try:
        record = json.loads(path.read_bytes())
        return Holder(kind=HolderKind(record["kind"]), pid=int(record["pid"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
