"""What may be said about where a value comes from."""

from typing import Any

import pytest

from goldloop.criteria.model import Dimension, DimensionType
from goldloop.responses.field_meta import MAX_SOURCE_KEYS, MAX_SOURCE_TEXT, MAX_SOURCES, check_field_meta

DIMENSIONS = [Dimension(key="revenue", label="Revenue", type=DimensionType.NUMBER)]


def places(field_meta: dict[str, Any]) -> list[tuple[str, str]]:
    return [(fault.path, fault.code) for fault in check_field_meta(field_meta, DIMENSIONS)]


@pytest.mark.parametrize(
    "meta",
    [
        {},
        {"confidence": "high"},
        {"confidence": "medium", "sources": [], "tokens_used": 0, "duration_ms": 0.5},
        {"confidence": None, "sources": None, "tokens_used": None, "duration_ms": None},
        {"sources": [{"type": "web", "url": "https://example.com", "title": "Report"}]},
        {"sources": [{"type": "document", "page": 3}, {"type": "entity", "id": "x"}, {"type": "field"}]},
        {"sources": [{"type": "field"}] * MAX_SOURCES},
    ],
)
def test_taken(meta: dict[str, Any]) -> None:
    assert places({"revenue": meta}) == []


@pytest.mark.parametrize(
    ("meta", "path", "code"),
    [
        ("high", "", "wrong_type"),
        ({"confidence": "certain"}, "/confidence", "unknown_confidence"),
        ({"confidence": 0.9}, "/confidence", "unknown_confidence"),
        ({"confidence": ["high"]}, "/confidence", "unknown_confidence"),
        ({"certainty": "high"}, "/certainty", "unknown_key"),
        ({"tokens_used": -1}, "/tokens_used", "wrong_type"),
        ({"tokens_used": 1.5}, "/tokens_used", "wrong_type"),
        ({"tokens_used": True}, "/tokens_used", "wrong_type"),
        ({"tokens_used": 2**53}, "/tokens_used", "wrong_type"),
        ({"duration_ms": "12"}, "/duration_ms", "wrong_type"),
        ({"duration_ms": float("nan")}, "/duration_ms", "wrong_type"),
        ({"sources": {}}, "/sources", "wrong_type"),
        ({"sources": [{"type": "field"}] * (MAX_SOURCES + 1)}, "/sources", "too_many"),
        ({"sources": ["https://example.com"]}, "/sources/0", "wrong_type"),
        ({"sources": [{}]}, "/sources/0/type", "unknown_source_type"),
        ({"sources": [{"type": "web"}, {"type": "rumour"}]}, "/sources/1/type", "unknown_source_type"),
        ({"sources": [{"type": ["web"]}]}, "/sources/0/type", "unknown_source_type"),
        ({"sources": [{"type": "web", "url": "javascript:alert(1)"}]}, "/sources/0/url", "invalid_url"),
        ({"sources": [{"type": "web", "url": 5}]}, "/sources/0/url", "invalid_url"),
        (
            {"sources": [{"type": "document", "quote": "x" * (MAX_SOURCE_TEXT + 1)}]},
            "/sources/0/quote",
            "too_long",
        ),
        (
            {"sources": [{"type": "web", **{f"k{n}": n for n in range(MAX_SOURCE_KEYS)}}]},
            "/sources/0",
            "too_many",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_refused(meta: Any, path: str, code: str) -> None:
    assert places({"revenue": meta}) == [(f"/field_meta/revenue{path}", code)]


def test_a_dimension_that_is_not_there() -> None:
    assert places({"a/b": {}}) == [("/field_meta/a~1b", "unknown_dimension")]


def test_nothing_said_is_nothing_wrong() -> None:
    assert places({}) == []
