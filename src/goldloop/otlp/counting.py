"""What each source told in a trace, and what of that is not counted yet. Pure."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from goldloop.otlp.mapper import TraceStory
from goldloop.otlp.model import Counts
from goldloop.otlp.spans import Source

_NUMBERS = ("spans", "requests", "with_content", "with_session", "with_user")


def count(story: TraceStory) -> list[Counts]:
    found: dict[Source, dict[str, int]] = {}
    for node in story.nodes:
        numbers = found.setdefault(node.span.source, dict.fromkeys(_NUMBERS, 0))
        numbers["spans"] += 1
        numbers["with_session"] += story.session is not None
        numbers["with_user"] += story.user is not None
    for request in story.requests:
        numbers = found[request.node.span.source]
        numbers["requests"] += 1
        numbers["with_content"] += bool(request.input or request.answer)
    return [Counts(**_named(source), **dict[str, Any](numbers)) for source, numbers in sorted(found.items())]


def total(changes: Iterable[Counts]) -> list[Counts]:
    """Changes of the same source as one."""
    found: dict[tuple[str, str, str], Counts] = {}
    for each in changes:
        key = each.service, each.scope, each.sdk
        before = found.get(key)
        numbers = {name: getattr(each, name) + (getattr(before, name) if before else 0) for name in _NUMBERS}
        found[key] = msgspec.structs.replace(each, **numbers)
    return list(found.values())


def _named(source: Source) -> dict[str, Any]:
    return {name: value.replace("\x00", "\ufffd") for name, value in source._asdict().items()}


def added(now: Sequence[Counts], before: Sequence[Counts]) -> list[Counts]:
    """What is more, or less, than what was counted of this trace before."""
    known = {(each.service, each.scope, each.sdk): each for each in before}
    changed: list[Counts] = []
    for each in now:
        old = known.pop((each.service, each.scope, each.sdk), None)
        delta = {name: getattr(each, name) - (getattr(old, name) if old else 0) for name in _NUMBERS}
        if any(delta.values()):
            changed.append(msgspec.structs.replace(each, **delta))
    gone = [msgspec.structs.replace(old, **{n: -getattr(old, n) for n in _NUMBERS}) for old in known.values()]
    return [*changed, *gone]
