"""What a fact changed, from what it tells itself and what versions say. Pure."""

from collections.abc import Mapping
from typing import Any

from goldloop.audit.model import AuditChange

_BEFORE = "_before"  # a payload that has `role` and `role_before` tells of a change itself


def told_by(payload: Mapping[str, Any]) -> list[AuditChange]:
    """The changes that an event's own payload names: what it tells before and after, where they differ."""
    return [
        AuditChange(what=name, before=payload[name + _BEFORE], after=value)
        for name, value in sorted(payload.items())
        if name + _BEFORE in payload and payload[name + _BEFORE] != value
    ]


def between(before: Mapping[str, Any] | None, after: Mapping[str, Any]) -> list[AuditChange]:
    """What differs between two versions of something, by key; all of it where there was none before."""
    earlier = before or {}
    return [
        AuditChange(
            what=name,
            before=earlier.get(name),
            after=after.get(name),
            present_before=name in earlier,
            present=name in after,
        )
        for name in sorted(earlier.keys() | after.keys())
        if name not in earlier or name not in after or earlier[name] != after[name]
    ]
