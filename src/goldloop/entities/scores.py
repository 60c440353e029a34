"""The single source of the score shown for a record, on one scale of 0 to 100.

Records written before responses existed carry `weighted_score` from 1 to 10 in their metadata. It counts
only where there is no `response_summary`. A value of another type, or off its scale, is no score; never 0.

Pure.
"""

from collections.abc import Mapping
from typing import Any, Literal

from goldloop.kit.errors import Fault
from goldloop.kit.numbers import is_number, round_off

BadgeVariant = Literal["default", "secondary", "outline"]

STRONG = 70  # from here on a badge is filled
FAIR = 40  # from here on it is muted, below it is an outline


def get_entity_score(metadata: Mapping[str, Any] | None) -> float | None:
    """The latest score of the featured criteria set, read from the record's metadata."""
    if not isinstance(metadata, Mapping):
        return None
    summary = metadata.get("response_summary")
    if summary is not None:
        return _within(summary.get("latest_score"), 0, 100) if isinstance(summary, Mapping) else None
    legacy = _within(metadata.get("weighted_score"), 1, 10)
    return None if legacy is None else (legacy - 1) / 9 * 100  # as the column computes it


def legacy_score_faults(metadata: Mapping[str, Any]) -> list[Fault]:
    """An agent's score is a response, which says who gave it and can be rejected; in metadata it would be neither."""
    if "weighted_score" not in metadata:
        return []
    message = "An agent rates a record by a response, not by its metadata"
    return [Fault(path="/metadata/weighted_score", code="agents_propose", message=message)]


def score_badge_variant(score: float) -> BadgeVariant:
    rounded = round_off(score)
    if rounded >= STRONG:
        return "default"
    return "secondary" if rounded >= FAIR else "outline"


def _within(value: object, low: int, high: int) -> float | None:
    return float(value) if is_number(value) and low <= value <= high else None
