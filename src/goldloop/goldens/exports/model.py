"""Types of exports of goldens."""

from typing import Any
from uuid import UUID

import msgspec

from goldloop.evals.stats.counting import NoiseFloor
from goldloop.goldens.runs.model import Passes


class ExportedGolden(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """`session` is what replays are compared with, whole; `siblings` are other runs of it, whose recordings answer as well.
    `baseline` is how often the agent that the export names passed it unchanged."""

    id: UUID
    note: str
    session: dict[str, Any]
    siblings: list[dict[str, Any]]
    baseline: Passes | None
    floor: NoiseFloor | None
    min_pass: float | None


class GoldenExport(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A page of a set, oldest goldens first. A page of another `version` is of another set than the one before."""

    set: str
    version: int
    baseline: str | None
    goldens: list[ExportedGolden]
    next_cursor: str | None
