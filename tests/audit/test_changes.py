"""What a fact changed, by its payload and by versions."""

from typing import Any

import pytest

from goldloop.audit.changes import between, told_by
from goldloop.audit.model import AuditChange


@pytest.mark.parametrize(
    ("payload", "told"),
    [
        ({}, []),
        ({"role": "admin"}, []),
        ({"role_before": "viewer"}, []),
        ({"role": "admin", "role_before": "viewer"}, [("role", "viewer", "admin")]),
        ({"role": "admin", "role_before": "admin"}, []),
        ({"a": 5, "a_before": 5, "b": None, "b_before": 7}, [("b", 7, None)]),
        ({"b": 2, "a": None, "a_before": 1, "b_before": None}, [("a", 1, None), ("b", None, 2)]),
    ],
)
def test_a_payload_tells_of_what_it_has_before_and_after(
    payload: dict[str, Any], told: list[tuple[str, Any, Any]]
) -> None:
    assert told_by(payload) == [AuditChange(what=w, before=b, after=a) for w, b, a in told]


def test_versions_differ_by_key_and_say_what_was_not_there() -> None:
    before, after = {"model": "a", "note": None, "same": [1]}, {"model": "b", "tools": [], "same": [1]}
    assert between(before, after) == [
        AuditChange(what="model", before="a", after="b"),
        AuditChange(what="note", before=None, after=None, present=False),
        AuditChange(what="tools", before=None, after=[], present_before=False),
    ]


def test_of_a_first_version_everything_is_new() -> None:
    assert [change.what for change in between(None, {"b": 1, "a": 2})] == ["a", "b"]
    assert between({}, {}) == []
