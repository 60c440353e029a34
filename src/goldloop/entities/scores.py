"""The single source of the score shown for a record, on one scale of 0 to 100.

A score has two decimals at most: it is rounded where it is stored, half of a hundredth upwards, and shown as it is
stored, by `format_score` here and `formatScore` in the browser (`cases/score_format.json`). So a list, a filter, a
table for spreadsheets and a badge never say different numbers of one record.

Records written before responses existed carry `weighted_score` from 1 to 10 in their metadata. It counts
only where there is no `response_summary`. A value of another type, or off its scale, is no score; never 0.

Pure.
"""

import math
from collections.abc import Mapping, Sequence
from statistics import median, stdev
from typing import Any, Literal

import msgspec

from goldloop.kit.errors import Fault
from goldloop.kit.json_rows import json_or_null
from goldloop.kit.numbers import is_number, round_off

BadgeVariant = Literal["default", "secondary", "outline"]

STRONG = 70  # from here on a badge is filled
FAIR = 40  # from here on it is muted, below it is an outline
APART = STRONG - FAIR  # so far apart one rater calls good what another calls weak
NO_SCORE = "–"


class Raters(msgspec.Struct, frozen=True, kw_only=True):
    """Who rated a record (or a connection) with the set of its score, each by their newest response: how many, the median, the lowest and
    highest of their scores, and the standard deviation (`spread`, null for one). `more`: there are more than were
    counted. `disagree`: the scores are so far apart that the latest alone says little."""

    count: int
    more: bool
    median: float
    min: float
    max: float
    spread: float | None
    disagree: bool


def round_score(score: float) -> float:
    """To two decimals, without what binary fractions leave: 59.999999999999986 is 60."""
    return math.floor(round_off(score * 100) + 0.5) / 100


def score_of_100(normalized: float | None) -> float | None:
    """A response keeps its score from 0 to 1."""
    return None if normalized is None else round_score(normalized * 100)


def format_score(score: float | None) -> str:
    """At most two decimals, and none that say nothing: 73.75, 73.5, 60."""
    return NO_SCORE if score is None else f"{round_score(score):.2f}".rstrip("0").rstrip(".")


def get_entity_score(metadata: Mapping[str, Any] | None) -> float | None:
    """The latest score of the featured criteria set, read from the record's metadata as its column does."""
    if not isinstance(metadata, Mapping):
        return None
    summary = metadata.get("response_summary")
    if summary is not None:
        latest = _within(summary.get("latest_score"), 0, 100) if isinstance(summary, Mapping) else None
        return None if latest is None else round_score(latest)
    legacy = _within(metadata.get("weighted_score"), 1, 10)
    return None if legacy is None else round_score((legacy - 1) / 9 * 100)


def get_raters(metadata: Mapping[str, Any]) -> Raters | None:
    """Beside the score, from the same summary. None for a score that was brought along, and until a summary from before
    raters were counted is rebuilt."""
    summary = metadata.get("response_summary")
    return read_raters(summary.get("raters") if isinstance(summary, Mapping) else None)


def read_raters(kept: object) -> Raters | None:
    """As they are kept with a score; whether they disagree follows from it."""
    if not isinstance(kept, Mapping):
        return None
    return Raters(**kept, disagree=kept["max"] - kept["min"] >= APART)


def raters_json(kept: str) -> str:
    """`read_raters` in SQL: an expression for their JSON, of one for how they are kept."""
    kept = f"({kept})"
    apart = f"({kept} ->> 'max')::float8 - ({kept} ->> 'min')::float8 >= {APART}"
    made = f"({kept} || jsonb_build_object('disagree', {apart}))::text"
    return json_or_null(f"jsonb_typeof({kept}) = 'object'", made)


def summarize_raters(scores: Sequence[float], *, more: bool) -> dict[str, Any] | None:
    """What is kept of the scores (0 to 100) of several raters, one of each. `compute_response_summary` says the same of a
    record in SQL."""
    if not scores:
        return None
    return {
        "count": len(scores),
        "more": more,
        "median": round_score(median(scores)),
        "min": min(scores),
        "max": max(scores),
        "spread": round_score(stdev(scores)) if len(scores) > 1 else None,
    }


def legacy_score_faults(metadata: Mapping[str, Any]) -> list[Fault]:
    """An agent's score is a response, which says who gave it and can be rejected; in metadata it would be neither."""
    if "weighted_score" not in metadata:
        return []
    message = "An agent rates a record by a response, not by its metadata"
    return [Fault(path="/metadata/weighted_score", code="agents_propose", message=message)]


def score_badge_variant(score: float) -> BadgeVariant:
    shown = round_score(score)
    if shown >= STRONG:
        return "default"
    return "secondary" if shown >= FAIR else "outline"


def _within(value: object, low: int, high: int) -> float | None:
    return float(value) if is_number(value) and low <= value <= high else None
