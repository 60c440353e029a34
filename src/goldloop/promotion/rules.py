"""The single source of what can be promoted, into what, and which status follows. Pure."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from goldloop.criteria.dimension_types import is_empty
from goldloop.criteria.model import Dimension
from goldloop.kit.errors import Fault
from goldloop.responses.model import ResponseStatus
from goldloop.responses.promotable import promotion_target

_CLOSED = {
    ResponseStatus.REJECTED: "A rejected response is reopened before it is promoted",
    ResponseStatus.SUPERSEDED: "The fields that this response was promoted into have other values by now",
}


def derive_status(
    *,
    filled_promotable: AbstractSet[str],
    promoted: AbstractSet[str],
    current_sources: AbstractSet[str],
    rejected: bool,
) -> ResponseStatus:
    """The status that follows from the facts. Sets hold keys of dimensions: those with a value and a target,
    those in `promoted_fields`, and those whose field this response is the current source of.

    The first row that applies:

    | facts                                          | status             |
    |------------------------------------------------|--------------------|
    | rejected                                       | rejected           |
    | nothing promoted (never, or all undone)        | submitted          |
    | of what was promoted, nothing is current       | superseded         |
    | everything filled and promotable was promoted  | promoted           |
    | otherwise                                      | partially_promoted |
    """
    if rejected:
        return ResponseStatus.REJECTED
    if not promoted:
        return ResponseStatus.SUBMITTED
    if not promoted & current_sources:
        return ResponseStatus.SUPERSEDED
    return ResponseStatus.PROMOTED if filled_promotable <= promoted else ResponseStatus.PARTIALLY_PROMOTED


def check_promotable(
    keys: Sequence[str],
    *,
    status: ResponseStatus,
    withdrawn: bool,
    relation_scoped: bool,
    values: Mapping[str, Any],
    dimensions: Sequence[Dimension],
    json_schema: Mapping[str, Any],
) -> list[Fault]:
    """What keeps the dimensions named in `/fields` from being promoted; about the response itself, path `""`."""
    if relation_scoped:
        return [_fault("", "relation_scoped", "What was said about connections is not promoted into fields")]
    if withdrawn:
        return [_fault("", "response_withdrawn", "This response was withdrawn")]
    if status in _CLOSED:
        return [_fault("", f"response_{status}", _CLOSED[status])]
    if not keys:
        return [_fault("/fields", "empty", "Name at least one dimension")]
    by_key = {dimension.key: dimension for dimension in dimensions}
    faults: list[Fault] = []
    seen: set[str] = set()
    for place, key in enumerate(keys):
        faults += _key_faults(key, seen, by_key.get(key), values, json_schema, f"/fields/{place}")
        seen.add(key)
    return faults or list(_shared_targets(keys, by_key, json_schema))


def check_undoable(keys: Sequence[str], dimensions: Sequence[Dimension]) -> list[Fault]:
    """What keeps the names in `/fields` from being dimensions to undo, whatever has become of their values."""
    if not keys:
        return [_fault("/fields", "empty", "Name at least one dimension, or leave this out for all")]
    known = {dimension.key for dimension in dimensions}
    faults: list[Fault] = []
    for place, key in enumerate(keys):
        if key not in known:
            faults.append(_unknown(f"/fields/{place}"))
        elif key in keys[:place]:
            faults.append(_twice(f"/fields/{place}", key))
    return faults


def _shared_targets(
    keys: Sequence[str], by_key: Mapping[str, Dimension], json_schema: Mapping[str, Any]
) -> Iterator[Fault]:
    seen: set[str | None] = set()
    for place, key in enumerate(keys):
        field = promotion_target(by_key[key], json_schema)
        if field in seen:
            yield _fault(f"/fields/{place}", "same_field", f"Another of these is promoted into {field!r}")
        seen.add(field)


def _key_faults(
    key: str,
    before: Collection[str],
    dimension: Dimension | None,
    values: Mapping[str, Any],
    json_schema: Mapping[str, Any],
    at: str,
) -> Iterator[Fault]:
    if dimension is None:
        yield _unknown(at)
    elif key in before:
        yield _twice(at, key)
    elif is_empty(values.get(key)):
        yield _fault(at, "no_value", "The response has no value for this dimension")
    elif promotion_target(dimension, json_schema) is None:
        yield _fault(at, "not_promotable", "The record's type has no field for this dimension")


def _unknown(at: str) -> Fault:
    return _fault(at, "unknown_dimension", "The response has no such dimension")


def _twice(at: str, key: str) -> Fault:
    return _fault(at, "duplicate", f"{key!r} is there twice")


def _fault(path: str, code: str, message: str) -> Fault:
    return Fault(path=path, code=code, message=message)
