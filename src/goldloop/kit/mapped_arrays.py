"""Large arrays that never change, read from a file that all processes of an installation map: it is in memory once, and only
what is used of it. Infrastructure.

The file is a copy of what the process has in its hands, so it is compared with that before it is used: one that is damaged
or of another version is written anew.
"""

from __future__ import annotations

import contextlib
import logging
import mmap
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldloop.kit.at_first_use import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

log = logging.getLogger("goldloop")

_PIECE = 1024 * 1024  # bytes compared at once


class MappedArray:
    """`array` has the values. Where the file cannot be had it is the one that was given, in the process's own memory."""

    def __init__(self, array: NDArray[Any], file: Path | None) -> None:
        self.array = array
        self._map: mmap.mmap | None = None
        if file is None:
            return
        try:
            if not _holds(file, array):
                _write(file, array)
            with file.open("rb") as opened:
                self._map = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
        except OSError as error:
            log.warning("an array is kept in memory, for it cannot be mapped: %s", error)
            return
        self.array = np.frombuffer(self._map, dtype=array.dtype).reshape(array.shape)

    @property
    def is_mapped(self) -> bool:
        return self._map is not None

    def release(self) -> None:
        """Until the next use the process holds no page of it; the system still does, as long as there is room."""
        if self._map is not None:
            self._map.madvise(mmap.MADV_DONTNEED)


def _holds(file: Path, array: NDArray[Any]) -> bool:
    """Read and not mapped: pages that are compared need not stay with the process."""
    if not file.is_file() or file.stat().st_size != array.nbytes:
        return False
    content = array.data.cast("B")
    with file.open("rb") as opened:
        return all(
            opened.read(_PIECE) == content[start : start + _PIECE] for start in range(0, len(content), _PIECE)
        )


def _write(file: Path, array: NDArray[Any]) -> None:
    """Whole or not at all, also where several processes are first together."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    part = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        with part.open("wb") as opened:
            opened.write(array.data.cast("B"))
        part.replace(file)
    finally:
        with contextlib.suppress(FileNotFoundError):
            part.unlink()
