"""The single source of what may be said about where a value comes from. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any
from uuid import UUID

from goldloop.criteria.model import Dimension
from goldloop.kit.errors import Fault, Faults, unknown_keys
from goldloop.kit.json_pointer import pointer
from goldloop.kit.numbers import is_number
from goldloop.responses.model import Confidence, EvidenceType

MAX_SOURCES = 50  # per value; more is a bibliography, not evidence
MAX_SOURCE_KEYS = 20
MAX_SOURCE_TEXT = 5000  # a quoted passage
MAX_COUNT = 2**53 - 1  # the largest integer that every JSON reader keeps exact

_COUNTS = {"tokens_used", "duration_ms"}
_KEYS = dict.fromkeys(("confidence", "sources", "session_id", "tokens_used", "duration_ms")).keys()


def check_field_meta(
    field_meta: Mapping[str, Any], dimensions: Sequence[Dimension], *, at: str = "/field_meta"
) -> Faults:
    """What is wrong with metadata by dimension; `at` is where it stands in the request. A dimension without a value may have one too: it tells what was looked at in vain."""
    known = {dimension.key for dimension in dimensions}
    return check_known_meta(field_meta, known, at=at)


def check_known_meta(field_meta: Mapping[str, Any], known: AbstractSet[str], *, at: str) -> Faults:
    faults = unknown_keys(
        field_meta, known, at, "unknown_dimension", "The criteria set has no such dimension"
    )
    for key, meta in field_meta.items():
        place = at + pointer(key)
        if key not in known:
            continue
        if not isinstance(meta, dict):
            faults.append(_fault(place, "wrong_type", "Field metadata is an object"))
        else:
            faults += unknown_keys(
                meta, _KEYS, place, "unknown_key", f"Field metadata has {', '.join(_KEYS)}"
            )
            faults += _meta_faults(meta, place)
    return faults


def _meta_faults(meta: Mapping[str, Any], at: str) -> Iterator[Fault]:
    for key in _KEYS:
        place, value = f"{at}/{key}", meta.get(key)
        if value is None:
            continue
        if key == "confidence" and value not in list(Confidence):
            yield _fault(place, "unknown_confidence", "Confidence is high, medium or low")
        elif key == "sources":
            yield from _sources_faults(value, place)
        elif key == "session_id" and not _is_id(value):
            yield _fault(place, "wrong_type", "This is the id of the session that found the value")
        elif key in _COUNTS and not _is_count(value, whole=key == "tokens_used"):
            yield _fault(place, "wrong_type", "This is a number that is not negative")


def _sources_faults(sources: object, at: str) -> Iterator[Fault]:
    if not isinstance(sources, list):
        yield _fault(at, "wrong_type", "Sources are a list")
        return
    if len(sources) > MAX_SOURCES:
        yield _fault(at, "too_many", f"A value has at most {MAX_SOURCES} sources")
    for place, source in enumerate(sources[:MAX_SOURCES]):
        yield from _source_faults(source, f"{at}/{place}")


def _source_faults(source: object, at: str) -> Iterator[Fault]:
    """Beside its type a source says what its kind needs; an address is one that a browser may open."""
    if not isinstance(source, dict):
        yield _fault(at, "wrong_type", "A source is an object with a type")
        return
    if source.get("type") not in list(EvidenceType):
        yield _fault(f"{at}/type", "unknown_source_type", "A source is a document, entity, web or field")
    if len(source) > MAX_SOURCE_KEYS:
        yield _fault(at, "too_many", f"A source has at most {MAX_SOURCE_KEYS} keys")
    for key, value in source.items():
        if isinstance(value, str) and len(value) > MAX_SOURCE_TEXT:
            yield _fault(at + pointer(key), "too_long", f"This has at most {MAX_SOURCE_TEXT} characters")
    url = source.get("url")
    if url is not None and not (isinstance(url, str) and url.lower().startswith(("https://", "http://"))):
        yield _fault(f"{at}/url", "invalid_url", "An address begins with https:// or http://")


def _is_id(value: object) -> bool:
    try:
        return isinstance(value, str) and bool(UUID(value))
    except ValueError:
        return False


def _is_count(value: object, *, whole: bool) -> bool:
    return is_number(value) and 0 <= value <= MAX_COUNT and not (whole and isinstance(value, float))


def _fault(path: str, code: str, message: str) -> Fault:
    return Fault(path=path, code=code, message=message)
