"""Compares the values of two responses, dimension by dimension: numbers within a tolerance, choices exactly, texts by words
or meaning, ranks by their order; and where each says that a value comes from. Pure."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeGuard

import msgspec

from goldloop.evals.arguments import canonical
from goldloop.evals.comparison.tools import longest_common, shown
from goldloop.evals.comparison.words import keyword_overlap
from goldloop.evals.model import DimensionResult, Divergence, DivergenceKind, InvalidSession
from goldloop.evals.recorded import Call, Recorded

NUMBER_TOLERANCE = 0.01  # of the golden's number: rounded otherwise, and the same
RATING_TOLERANCE = 0.10  # of the width of a scale: raters who agree differ by that much
CONFIDENCE_TOLERANCE = 0.10
TEXT_PASSES = 0.80
SUBMITS = "submitresponse"

Similarity = Callable[[str, str], float]


class Criterion(msgspec.Struct, frozen=True, kw_only=True):
    """A dimension of a criteria set, as far as it matters here; its other keys are let be. `tolerance` is in the unit of the
    values."""

    key: str
    type: str | None = None
    scale: tuple[float, float] | None = None
    weight: float | None = None
    tolerance: float | None = None


class Submission(msgspec.Struct, frozen=True, kw_only=True):
    """Values by dimension with their metadata, and the event that submitted them."""

    values: Mapping[str, Any] = {}
    field_meta: Mapping[str, Any] = {}
    event: int | None = None


class Compared(msgspec.Struct, frozen=True):
    score: float
    passed: bool
    reason: str


def is_submission(call: Call) -> bool:
    return call.name.replace("_", "").lower().endswith(SUBMITS)


def submission_of(session: Recorded) -> Submission:
    """The last response that was submitted and taken, or else the session's output."""
    for call in reversed(session.calls):
        if is_submission(call) and call.error is None and isinstance(call.arguments, Mapping):
            return _submission(call.arguments, call.place)
    return _submission(session.output, None) if isinstance(session.output, Mapping) else Submission()


def _submission(source: Mapping[str, Any], event: int | None) -> Submission:
    values = source.get("values")
    meta = source.get("field_meta") or source.get("fieldMeta")
    return Submission(
        values=values if isinstance(values, Mapping) else {},
        field_meta=meta if isinstance(meta, Mapping) else {},
        event=event,
    )


def compare_values(
    golden: Submission, replay: Submission, criteria: Any, similarity: Similarity | None
) -> tuple[dict[str, DimensionResult], list[Divergence]]:
    """A dimension for each value that either has, and one for the metadata of all where the golden has any."""
    by_key = _read_criteria(criteria)
    dimensions: dict[str, DimensionResult] = {}
    divergences = []
    for key in dict.fromkeys([*golden.values, *replay.values]):
        criterion = by_key.get(key) or Criterion(key=key)
        wanted, found = golden.values.get(key), replay.values.get(key)
        if _is_empty(wanted) and _is_empty(found):
            continue
        compared = _compare_value(wanted, found, criterion, similarity)
        weight = 1.0 if criterion.weight is None else criterion.weight
        dimensions[f"values.{key}"] = DimensionResult(
            score=compared.score, passed=compared.passed, weight=weight, reason=compared.reason
        )
        if not compared.passed:
            divergences.append(
                Divergence(
                    kind=DivergenceKind.WRONG_VALUE,
                    message=f"{key}: {compared.reason}",
                    path=key,
                    golden=wanted,
                    replay=found,
                    golden_event=golden.event,
                    replay_event=replay.event,
                )
            )
    if golden.field_meta:
        dimensions["field_meta"] = _compare_meta(golden.field_meta, replay.field_meta)
    return dimensions, divergences


def _read_criteria(criteria: Any) -> dict[str, Criterion]:
    if not criteria:
        return {}
    try:
        return {each.key: each for each in msgspec.convert(criteria, list[Criterion])}
    except msgspec.ValidationError as error:
        raise InvalidSession("golden.criteria", str(error)) from error


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _compare_value(wanted: Any, found: Any, criterion: Criterion, similarity: Similarity | None) -> Compared:
    if _is_empty(found):
        return Compared(0.0, False, "there is no value")
    if _is_empty(wanted):
        return Compared(0.0, False, "the golden has no value")
    if _is_number(wanted) and _is_number(found):
        return _compare_numbers(wanted, found, criterion)
    if isinstance(wanted, Mapping) and isinstance(found, Mapping):
        return _compare_parts(wanted, found, criterion, similarity)
    if isinstance(wanted, list) and isinstance(found, list):
        return _compare_ranks(wanted, found)
    if canonical(wanted) == canonical(found):
        return Compared(1.0, True, "the same")
    if criterion.type in ("select", "rating", "number") or not _both_text(wanted, found):
        return Compared(0.0, False, "not the same")
    return _compare_texts(wanted, found, similarity)


def _both_text(a: Any, b: Any) -> bool:
    return isinstance(a, str) and isinstance(b, str)


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _compare_numbers(wanted: float, found: float, criterion: Criterion) -> Compared:
    if wanted == found:
        return Compared(1.0, True, "the same")
    apart = abs(wanted - found)
    if criterion.scale is not None:
        width = abs(criterion.scale[1] - criterion.scale[0])
        tolerance = RATING_TOLERANCE * width
    else:
        width = max(abs(wanted), abs(found))
        tolerance = NUMBER_TOLERANCE * abs(wanted)
    if criterion.tolerance is not None:
        tolerance = criterion.tolerance
    reason = f"{apart:g} apart, {tolerance:g} is allowed"
    if apart <= tolerance * (1 + 1e-9):
        return Compared(1.0, True, reason)
    return Compared(max(0.0, 1 - apart / width) if width else 0.0, False, reason)


def _compare_ranks(wanted: list[Any], found: list[Any]) -> Compared:
    """By their order: what stands in the golden's order, of what both have."""
    a, b = [canonical(each) for each in wanted], [canonical(each) for each in found]
    if a == b:
        return Compared(1.0, True, "the same, in the same order")
    longest = longest_common(a, b)
    score = 2 * longest / (len(a) + len(b))
    return Compared(score, False, f"{longest} of {len(a)} in the golden's order")


def _compare_texts(wanted: str, found: str, similarity: Similarity | None) -> Compared:
    if similarity is None:
        score, how = keyword_overlap(wanted, found), "words"
    else:
        score, how = min(1.0, max(0.0, similarity(wanted, found))), "meaning"
    return Compared(score, score >= TEXT_PASSES, f"alike by {score:.2f} in their {how}")


def _compare_parts(
    wanted: Mapping[str, Any], found: Mapping[str, Any], criterion: Criterion, similarity: Similarity | None
) -> Compared:
    """A value for each connection of a record: the mean of them."""
    keys = dict.fromkeys([*wanted, *found])
    parts = [_compare_value(wanted.get(k), found.get(k), criterion, similarity) for k in keys]
    if not parts:
        return Compared(1.0, True, "the same")
    right = sum(part.passed for part in parts)
    score = sum(part.score for part in parts) / len(parts)
    return Compared(score, right == len(parts), f"{right} of {len(parts)} parts are the same")


def _compare_meta(wanted: Mapping[str, Any], found: Mapping[str, Any]) -> DimensionResult:
    """Whether values come from the same sources and are as sure. It is shown: a value can be right by other sources."""
    scores = [_meta_score(meta, found.get(key)) for key, meta in wanted.items()]
    right = sum(score == 1 for score in scores)
    return shown(
        sum(scores) / len(scores),
        f"{right} of {len(scores)} values have the same sources and are as sure",
    )


def _meta_score(wanted: Any, found: Any) -> float:
    if not isinstance(wanted, Mapping) or not isinstance(found, Mapping):
        return float(wanted == found)
    parts = [_sources_overlap(wanted.get("sources"), found.get("sources"))]
    confidence, here = wanted.get("confidence"), found.get("confidence")
    if _is_number(confidence):
        parts.append(float(_is_number(here) and abs(confidence - here) <= CONFIDENCE_TOLERANCE + 1e-9))
    elif confidence is not None:
        parts.append(float(confidence == here))
    return sum(parts) / len(parts)


def _sources_overlap(wanted: Any, found: Any) -> float:
    a, b = _sources(wanted), _sources(found)
    return len(a & b) / len(a | b) if a | b else 1.0


def _sources(sources: Any) -> set[Any]:
    """By their address or id where they have one: quotes of the same page differ."""
    if not isinstance(sources, Sequence) or isinstance(sources, str):
        return set()
    return {
        canonical(source.get("url") or source.get("id") or dict(source))
        if isinstance(source, Mapping)
        else canonical(source)
        for source in sources
    }
