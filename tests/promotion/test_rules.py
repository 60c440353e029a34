"""What can be promoted, into what, and which status follows."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldloop.criteria.defaults import default_dimensions
from goldloop.criteria.model import Dimension, DimensionType
from goldloop.entities.schema import check_content
from goldloop.promotion.rules import check_promotable, derive_status
from goldloop.responses.model import ResponseStatus
from goldloop.responses.promotable import filled_promotable, promoted_value, promotion_target
from tests.loops import any_number, some

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "active": {"type": "boolean"},
        "maybe": {"type": ["boolean", "null"]},
        "employees": {"type": "integer"},
        "revenue": {"type": "number"},
        "stage": {"enum": ["seed", "late"]},
        "tier": {"enum": [1, 2, None]},
        "answer": {"type": "string"},
        "name": {"type": "string"},
    },
}


def dimension(key: str, kind: str = "text", field: str | None = None) -> Dimension:
    return Dimension(key=key, label=key, type=DimensionType(kind), field_name=field)


@pytest.mark.parametrize(
    ("key", "field", "target"),
    [
        ("name", None, "name"),
        ("title", "name", "name"),
        ("name", "revenue", "revenue"),
        ("title", None, None),
        ("title", "not_in_the_schema", "not_in_the_schema"),
    ],
)
def test_target(key: str, field: str | None, target: str | None) -> None:
    assert promotion_target(dimension(key, field=field), SCHEMA) == target


@pytest.mark.parametrize(
    ("value", "kind", "field", "expected"),
    [
        ("true", "select", "active", True),
        ("false", "select", "active", False),
        ("yes", "select", "active", "yes"),
        ("true", "select", "maybe", True),
        ("true", "text", "active", "true"),
        ("true", "select", "answer", "true"),
        ("true", "select", "elsewhere", "true"),
        ("seed", "select", "stage", "seed"),
        ("2", "select", "tier", 2),
        ("3", "select", "tier", "3"),
        (3.0, "number", "employees", 3),
        (3, "number", "employees", 3),
        (3.5, "number", "employees", 3.5),
        (3.0, "number", "revenue", 3.0),
        (3.0, "rating", "employees", 3),
        ("# Text", "richtext", "name", "# Text"),
    ],
)
def test_value(value: Any, kind: str, field: str, expected: Any) -> None:
    found = promoted_value(value, dimension("d", kind), SCHEMA, field)
    assert (found, type(found)) == (expected, type(expected))


def test_every_option_of_a_default_dimension_is_good_content() -> None:
    for each in some(default_dimensions(SCHEMA)):
        for option in any_number(each.options or []):
            field = promotion_target(each, SCHEMA)
            assert field is not None
            assert check_content(SCHEMA, {field: promoted_value(option, each, SCHEMA, field)}) == []


@pytest.mark.parametrize(
    ("filled", "promoted", "current", "rejected", "status"),
    [
        ("", "", "", False, "submitted"),
        ("ab", "", "", False, "submitted"),
        ("ab", "a", "a", False, "partially_promoted"),
        ("ab", "ab", "ab", False, "promoted"),
        ("ab", "ab", "a", False, "promoted"),
        ("ab", "ab", "", False, "superseded"),
        ("ab", "a", "", False, "superseded"),
        ("a", "ab", "ab", False, "promoted"),
        ("", "a", "a", False, "promoted"),
        ("ab", "a", "b", False, "superseded"),
        ("ab", "", "", True, "rejected"),
        ("", "", "", True, "rejected"),
    ],
)
def test_status(filled: str, promoted: str, current: str, rejected: bool, status: str) -> None:
    found = derive_status(
        filled_promotable=set(filled),
        promoted=set(promoted),
        current_sources=set(current),
        rejected=rejected,
    )
    assert found == status


KEYS = st.sets(st.sampled_from("abcd"))


@given(KEYS, KEYS)
def test_promoting_and_undoing_everything_goes_through_the_statuses_and_back(
    filled: set[str], later: set[str]
) -> None:
    """A second response takes over `later`; its undo gives the source back."""

    def status(promoted: set[str], current: set[str]) -> ResponseStatus:
        return derive_status(
            filled_promotable=filled, promoted=promoted, current_sources=current, rejected=False
        )

    promoted: set[str] = set()
    for key in sorted(filled):
        promoted |= {key}
        whole = promoted == filled
        assert status(promoted, promoted) == ("promoted" if whole else "partially_promoted")
    taken_over = status(promoted, promoted - later)
    assert (taken_over == "superseded") == bool(promoted and promoted <= later)
    assert status(set(), set()) == "submitted"


def test_filled_and_promotable() -> None:
    dimensions = [dimension("name"), dimension("title"), dimension("answer"), dimension("t", field="x")]
    values = {"name": "ACME", "title": "no field", "answer": " ", "t": 0}
    assert filled_promotable(values, dimensions, SCHEMA) == {"name", "t"}


def promotable(*keys: str, **change: Any) -> list[tuple[str, str]]:
    facts: dict[str, Any] = {
        "status": ResponseStatus.SUBMITTED,
        "withdrawn": False,
        "relation_scoped": False,
        "values": {"name": "ACME", "note": "x", "answer": None, "revenue": 0},
        "dimensions": [dimension(key) for key in ("name", "note", "answer", "revenue")],
        "json_schema": SCHEMA,
        **change,
    }
    return [(fault.path, fault.code) for fault in check_promotable(keys, **facts)]


@pytest.mark.parametrize(
    ("keys", "change", "faults"),
    [
        (["name"], {}, []),
        (["name", "revenue"], {}, []),
        (["name"], {"status": ResponseStatus.PARTIALLY_PROMOTED}, []),
        (["name"], {"status": ResponseStatus.PROMOTED}, []),
        (["name"], {"status": ResponseStatus.REJECTED}, [("", "response_rejected")]),
        (["name"], {"status": ResponseStatus.SUPERSEDED}, [("", "response_superseded")]),
        (["name"], {"withdrawn": True}, [("", "response_withdrawn")]),
        (["name"], {"relation_scoped": True}, [("", "relation_scoped")]),
        ([], {}, [("/fields", "empty")]),
        (["other"], {}, [("/fields/0", "unknown_dimension")]),
        (["name", "name"], {}, [("/fields/1", "duplicate")]),
        (["answer"], {}, [("/fields/0", "no_value")]),
        (["note"], {}, [("/fields/0", "not_promotable")]),
        (["name", "note", "x"], {}, [("/fields/1", "not_promotable"), ("/fields/2", "unknown_dimension")]),
    ],
)
def test_promotable(keys: list[str], change: dict[str, Any], faults: list[tuple[str, str]]) -> None:
    assert promotable(*keys, **change) == faults
