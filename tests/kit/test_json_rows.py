"""The JSON that PostgreSQL writes of a row is that of the declared type."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Any
from uuid import UUID

import msgspec
import pytest

from goldloop.kit.json_rows import json_object, json_or_null, json_text
from goldloop.kit.pagination import Page, RawPage, bytes_of, encode_cursor, json_page, read_page
from tests.factories import Workspace

AT = datetime(2026, 3, 1, 9, 30, 15, tzinfo=UTC)


class Colour(StrEnum):
    RED = "red"


class Inner(msgspec.Struct, frozen=True, kw_only=True):
    name: str


class Outer(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A field of each kind that answers have."""

    id: UUID
    title_text: str
    colour: Colour
    count: int
    score: float | None
    is_open: bool
    made_at: datetime
    ended_at: Annotated[datetime, msgspec.Meta(tz=True)] | None
    parent: UUID | None
    tags: list[str]
    kin: list[UUID]
    content: dict[str, Any]
    value: Any
    inner: Inner | None


WHOLE = Outer(
    id=UUID(int=7),
    title_text='"quoted" \\ back\nslash\t\u2028 é 😀',
    colour=Colour.RED,
    count=-3,
    score=0.1,
    is_open=True,
    made_at=AT,
    ended_at=AT.replace(microsecond=120_000),
    parent=UUID(int=8),
    tags=["a,b", '"', ""],
    kin=[UUID(int=9)],
    content={"a": {"b": [1, 2.5, None, True, "x"]}, "": {}},
    value="text",
    inner=Inner(name="x"),
)
EMPTY = msgspec.structs.replace(
    WHOLE,
    title_text="",
    score=None,
    is_open=False,
    ended_at=None,
    parent=None,
    tags=[],
    kin=[],
    content={},
    value=None,
    inner=None,
)
ANY_JSON: list[Any] = [0, [], {"a": None}, False]
QUERY = f"""
    SELECT $1::uuid AS id, $2::text AS title_text, $3::text AS colour, $4::bigint AS count, $5::float8 AS score,
           $6::boolean AS is_open, $7::timestamptz AS made_at, $8::timestamptz AS ended_at, $9::uuid AS parent,
           $10::text[] AS tags, $11::uuid[] AS kin, $12::jsonb AS content, $13::jsonb AS value, $14::text AS inner_name, {bytes_of()}
    ORDER BY 1
"""
INNER = json_or_null("p.inner_name IS NOT NULL", json_object(Inner, "p", name=json_text("p.inner_name")))
ITEM = json_object(Outer, "p", inner=INNER)


@pytest.mark.parametrize(
    "row",
    [
        WHOLE,
        EMPTY,
        *(msgspec.structs.replace(WHOLE, score=score) for score in (0.0, 1.0, 1e-7, 1e20, 73.75)),
        *(
            msgspec.structs.replace(WHOLE, made_at=AT.replace(microsecond=micro))
            for micro in (1, 500_000, 999_999)
        ),
        *(msgspec.structs.replace(WHOLE, value=value) for value in ANY_JSON),
    ],
)
async def test_a_row_reads_as_msgspec_would_write_it(workspace: Workspace, row: Outer) -> None:
    values = [getattr(row, name) for name in Outer.__struct_fields__[:-1]]
    async with workspace.db.tx(workspace.system) as tx:
        found: RawPage[Outer] = read_page(
            await tx.fetchrow(json_page(QUERY, ITEM, 1, "id"), *values, row.inner.name if row.inner else None)
        )
    assert found.read(Outer) == Page(data=[row], next_cursor=None)
    assert msgspec.json.decode(found.data) == [msgspec.json.decode(msgspec.json.encode(row))]


def test_what_is_made_of_no_field_is_noticed() -> None:
    with pytest.raises(AssertionError, match="Inner"):
        json_object(Inner, "p", nmae="'x'")


class Counted(msgspec.Struct, frozen=True, kw_only=True):
    n: int


@pytest.mark.parametrize(
    ("rows", "limit", "shown", "last"),
    [
        (0, 3, [], None),
        (3, 3, [1, 2, 3], None),
        (4, 3, [1, 2, 3], 3),
        (9, 1, [1], 1),
        (9, 8, [1, 2, 3, 4, 6, 7, 8], 8),
    ],
)
async def test_a_page_has_its_rows_and_a_cursor_where_more_follow(
    workspace: Workspace, rows: int, limit: int, shown: list[int], last: int | None
) -> None:
    """The fifth row counts, and is not shown."""
    numbers = (
        f"SELECT n, 10::bigint AS row_bytes FROM generate_series(1, {rows}) n ORDER BY n LIMIT {limit + 1}"
    )
    item = f"CASE WHEN p.n <> 5 THEN {json_object(Counted, 'p')} END"
    async with workspace.db.tx(workspace.system) as tx:
        found: RawPage[Counted] = read_page(await tx.fetchrow(json_page(numbers, item, limit, "n")))
    expected = Page(
        data=[Counted(n=n) for n in shown], next_cursor=None if last is None else encode_cursor(last)
    )
    assert found.read(Counted) == expected
    assert msgspec.json.encode(found) == msgspec.json.encode(expected)
    assert found.is_empty is (not shown)


async def test_a_page_that_is_full_ends_and_goes_on_from_there(workspace: Workspace) -> None:
    large = "SELECT n, (3 * 1024 * 1024)::bigint AS row_bytes FROM generate_series(1, 3) n ORDER BY n LIMIT 4"
    async with workspace.db.tx(workspace.system) as tx:
        found = read_page(await tx.fetchrow(json_page(large, json_object(Counted, "p"), 3, "n")))
    assert found.read(Counted) == Page(data=[Counted(n=1)], next_cursor=encode_cursor(1))
