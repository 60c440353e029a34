"""Cursors: opaque, exact, and refused when they are not ours."""

import base64
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec
import pytest

from goldloop.kit.errors import InvalidInput
from goldloop.kit.pagination import (
    PAGE_BYTES,
    Page,
    bytes_of,
    decode_cursor,
    encode_cursor,
    page,
    within_bytes,
)
from tests.factories import Workspace


@pytest.mark.parametrize(
    "key",
    [
        "a-slug",
        "",
        "ünï — 😀",
        0,
        -(2**63),
        2**63 - 1,
        UUID("01a1e0ff-4620-70a4-bd8f-391005206b53"),
        datetime(2026, 1, 31, 23, 59, 59, 999999, tzinfo=UTC),
    ],
)
def test_a_cursor_carries_its_key_and_nothing_an_address_would_escape(key: Any) -> None:
    cursor = encode_cursor(key)
    assert decode_cursor(cursor, type(key)) == key
    assert set(cursor) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


def test_no_cursor_is_the_start_of_the_list() -> None:
    assert decode_cursor(None, UUID) is None


def _encoded(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    ("cursor", "kind"),
    [
        ("", str),
        ("x", str),
        ("not base64!", str),
        ("ü", str),
        ("\x00", str),
        ("a" * 1000, str),
        (_encoded("{"), str),
        (_encoded("null"), str),
        (_encoded('"a"'), str),
        (_encoded("[]"), str),
        (_encoded('["a", "b"]'), str),
        (_encoded("[1]"), str),
        (_encoded('["a\\u0000b"]'), str),
        (_encoded('["not a uuid"]'), UUID),
        (_encoded("[9223372036854775808]"), int),
        (_encoded("[-9223372036854775809]"), int),
        (_encoded("[1.5]"), int),
        (encode_cursor("a-slug"), UUID),  # of another list
        (encode_cursor(UUID(int=1)) + "!", UUID),
    ],
)
def test_what_is_no_cursor_of_this_list_is_refused_by_name(cursor: str, kind: Any) -> None:
    with pytest.raises(InvalidInput) as refused:
        decode_cursor(cursor, kind)
    assert [(f.path, f.code) for f in refused.value.errors] == [("/cursor", "invalid_cursor")]


@pytest.mark.parametrize(
    ("rows", "limit", "shown", "last"),
    [
        ([], 2, [], None),
        (["a"], 2, ["a"], None),
        (["a", "b"], 2, ["a", "b"], None),
        (["a", "b", "c"], 2, ["a", "b"], "b"),
        (["a", "b"], 1, ["a"], "a"),
    ],
)
def test_a_page_has_a_cursor_only_when_more_follows(
    rows: list[str], limit: int, shown: list[str], last: str | None
) -> None:
    expected = Page(data=shown, next_cursor=encode_cursor(last) if last else None)
    assert page(rows, limit, lambda row: row) == expected


@pytest.mark.parametrize(
    "value",
    [
        "[1e50" + ",1e50" * 150 + "]",
        "[1e-50" + ",1e-50" * 150 + "]",
        '"' + r"\u0001" * 1900 + '"',
        '["ordinary text"]',
    ],
    ids=["large", "small", "escapes", "ordinary"],
)
async def test_a_value_counts_by_its_text_however_little_is_stored(workspace: Workspace, value: str) -> None:
    async with workspace.db.tx(workspace.system) as tx:
        row = await tx.fetchrow(
            f"SELECT row_bytes, octet_length(v::text) FROM (SELECT v, {bytes_of('v')} FROM (SELECT $1::jsonb AS v) x) y",
            msgspec.json.decode(value),
        )
    assert row is not None
    counted, text = row
    assert counted >= text
    assert text * 200 < PAGE_BYTES or counted < 2 * text


@pytest.mark.parametrize(
    ("most", "shown"),
    [(0, [9]), (50, [9, 8, 7, 6, 5]), (59, [9, 8, 7, 6, 5]), (1000, list(range(9, -1, -1)))],
)
async def test_a_page_ends_where_it_is_full_in_the_order_of_its_query(
    workspace: Workspace, most: int, shown: list[int]
) -> None:
    query = "SELECT n, 10::bigint AS row_bytes FROM generate_series(0, 9) n ORDER BY n DESC"
    async with workspace.db.tx(workspace.system) as tx:
        rows = await tx.fetch(within_bytes(query, most))
    assert [row["n"] for row in rows] == shown
    assert {row["found"] for row in rows} == {10}


def test_a_query_without_an_order_has_no_pages() -> None:
    with pytest.raises(AssertionError, match="order"):
        within_bytes("SELECT 1 AS row_bytes")
