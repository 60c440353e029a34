"""How a node is written, in Python and as the database writes it."""

from typing import Any

import pytest

from goldloop.chain.refs import of_row, parse_ref, shorten
from goldloop.kit.db import Database
from goldloop.kit.errors import InvalidInput

ID = "0190a000-0000-7000-8000-000000000001"
OTHER = "0190a000-0000-7000-8000-000000000002"
LONG = "ü" * 301

# A source as a response has it, and what it is called.
SOURCES: list[tuple[dict[str, Any], str | None]] = [
    ({"type": "web", "url": " https://a.test/x#part "}, "source:web:https://a.test/x"),
    ({"type": "web", "title": "A page"}, "source:web:A page"),
    ({"type": "web", "url": "#"}, None),
    ({"type": "document", "title": "Plan.pdf", "page": 3}, "source:document:Plan.pdf"),
    ({"type": "document", "document_id": 7, "title": "Plan.pdf"}, "source:document:7"),
    ({"type": "document", "page": 3}, None),
    ({"type": "document", "title": "  "}, None),
    ({"type": "document", "title": {"en": "Plan"}}, None),
    ({"type": "document", "title": LONG}, f"source:document:{shorten(LONG)}"),
    ({"type": "entity", "id": ID.upper()}, f"record:{ID}"),
    ({"type": "entity", "entity_id": ID, "field": "name"}, f"record:{ID}"),
    ({"type": "entity", "name": "Acme"}, "source:entity:Acme"),
    ({"type": "field", "entity_id": ID, "field": "name"}, f"field:{ID}/name"),
    ({"type": "field", "field": "name"}, f"field:{OTHER}/name"),
    ({"type": "field"}, None),
]


@pytest.mark.parametrize(("source", "ref"), SOURCES)
async def test_the_database_calls_a_source_what_a_client_does(
    db: Database, source: dict[str, Any], ref: str | None
) -> None:
    async with db.anonymous() as connection:
        assert await connection.fetchval("SELECT source_ref($1, $2)", source, OTHER) == ref
    if ref is not None:
        assert of_row(ref).text == ref
        assert parse_ref(ref, at="").text == ref


@pytest.mark.parametrize(
    ("asked", "ref"),
    [
        (f"field:{ID}/a/b", f"field:{ID}/a/b"),
        (f"source:entity:{ID}", f"record:{ID}"),
        (f"source:field:{ID}/name", f"field:{ID}/name"),
        ("source:web:https://a.test/x#y", "source:web:https://a.test/x"),
        (f"source:document:{LONG}", f"source:document:{shorten(LONG)}"),
        (f"agent:{ID.upper()}@03", f"agent:{ID}@3"),
        (f"agent:{ID}", f"agent:{ID}"),
        (f"manifest:{'a' * 64}", f"manifest:{'a' * 64}"),
    ],
)
def test_a_ref_is_read_as_it_is_kept(asked: str, ref: str) -> None:
    assert parse_ref(asked, at="").text == ref


@pytest.mark.parametrize(
    "asked",
    ["", ":", "x", f"thing:{ID}", "field:x/name", f"field:{ID}", f"field:{ID}/", "manifest:abc", f"agent:{ID}@", f"agent:{ID}@0",
     f"agent:{ID}@x", f"agent:{ID}@²", "source:web:", "source:rumour:x", "source:web:#", "session:1", "user:a\x00"],
)  # fmt: skip
def test_what_names_nothing_is_no_ref(asked: str) -> None:
    with pytest.raises(InvalidInput):
        parse_ref(asked, at="/from")
