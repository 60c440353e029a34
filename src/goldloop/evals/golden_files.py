"""The single source of how goldens stand in a file: a set that is replayed where there is no server.

`{"format": "goldloop-goldens-1", "set", "version", "baseline", "goldens": [{"id", "session", "siblings", "baseline"}]}`. A session is
what `compare` takes, with `effects`, `facts` and `tools`; siblings are other runs of it, whose recordings answer as well; the
baseline is how often the agent as it was passed the golden.
"""

from pathlib import Path
from typing import Any, Literal

import msgspec

from goldloop.evals.model import InvalidSession
from goldloop.evals.recorded import read_session
from goldloop.evals.stats.counting import NoiseFloor


class GoldensNotRead(ValueError):
    """The file cannot be used; the message says where it goes wrong."""


class Baseline(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    passes: int
    runs: int


class FileGolden(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`min_pass` is the least share of its repeats that must pass, for one that people care about more than about others.
    One whose `floor` is broken is not counted."""

    id: str
    session: dict[str, Any]
    note: str | None = None
    siblings: list[dict[str, Any]] = []
    baseline: Baseline | None = None
    floor: NoiseFloor | None = None
    min_pass: float | None = None


class GoldenFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`baseline` names the agent whose passes the goldens have."""

    format: Literal["goldloop-goldens-1"] = "goldloop-goldens-1"
    set: str
    version: int = 1
    baseline: str | None = None
    goldens: list[FileGolden]


def read_goldens(path: Path) -> GoldenFile:
    """Raises GoldensNotRead."""
    try:
        goldens = msgspec.json.decode(path.read_bytes(), type=GoldenFile)
    except OSError as error:
        raise GoldensNotRead(f"{path}: {error.strerror}") from error
    except msgspec.DecodeError as error:
        raise GoldensNotRead(f"{path}: {error}") from error
    check_goldens(goldens)
    return goldens


def check_goldens(file: GoldenFile) -> None:
    seen: set[str] = set()
    for place, golden in enumerate(file.goldens):
        where = f"goldens[{place}]"
        if golden.id in seen:
            raise GoldensNotRead(f"{where}.id: {golden.id} is there twice")
        seen.add(golden.id)
        try:
            read_session(golden.session, f"{where}.session")
            for number, sibling in enumerate(golden.siblings):
                read_session(sibling, f"{where}.siblings[{number}]")
        except InvalidSession as error:
            raise GoldensNotRead(str(error)) from error
        if golden.baseline and not 0 <= golden.baseline.passes <= golden.baseline.runs:
            raise GoldensNotRead(f"{where}.baseline: no number of passes out of runs")


def encode_goldens(file: GoldenFile) -> bytes:
    """As a file has them, after a look that they can be read again. Raises GoldensNotRead."""
    check_goldens(file)
    return msgspec.json.format(msgspec.json.encode(file), indent=1) + b"\n"


def write_goldens(file: GoldenFile, path: Path) -> None:
    path.write_bytes(encode_goldens(file))
