"""Tables as files that spreadsheets open: RFC 4180, and no text in them is taken for a formula. Pure, but for
reading a list page by page."""

import csv
import io
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, TypeVar

from goldloop.kit.pagination import Page

BOM = "\ufeff"  # tells spreadsheets that a file is UTF-8
EXPORT_PAGE = 1000  # rows at a time; a page ends before them where they are large
Cell = str | int | float | None
T = TypeVar("T")

# What a spreadsheet would compute, also behind spaces, quotes and signs that are not seen, and written wide.
_FORMULA = re.compile(r"[\s\"'\u200b-\u200f\u2060\ufeff]*[=+\-@|%\uff1d\uff0b\uff0d\uff20\u2212]|[\t\r\n]")


def csv_lines(rows: Iterable[Sequence[Cell]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows([guarded(cell) for cell in row] for row in rows)
    return out.getvalue()


def guarded(cell: Cell) -> Cell:
    """A text that a spreadsheet would compute, with an apostrophe before it; nothing for None."""
    if isinstance(cell, str):
        return f"'{cell}" if _FORMULA.match(cell) else cell
    return "" if cell is None else cell


def unguarded(cell: str) -> str:
    """As it was before `guarded`."""
    return cell[1:] if cell[:1] == "'" and _FORMULA.match(cell[1:]) else cell


def as_cell(value: Any) -> Cell:
    """Texts and numbers as they are, times in UTC, lists of texts with commas where they are told apart by them, and whatever
    has more inside as JSON."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        joined = ", ".join(value)
        if joined[:1] not in ("[", "{") and separated(joined) == value:
            return joined
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return str(value)


def separated(text: str) -> list[str]:
    """A list of texts as `as_cell` writes it with commas, and as people do."""
    return [part.strip() for part in text.split(",") if part.strip()]


async def csv_pages(
    head: Sequence[Cell], read: Callable[[str | None], Awaitable[Page[T]]], row: Callable[[T], Sequence[Cell]]
) -> AsyncIterator[str]:
    """A list as a file, a page at a time: a slow reader holds no transaction open, and none of it is in memory for long."""
    yield BOM + csv_lines([head])
    cursor: str | None = None
    while True:
        page = await read(cursor)
        yield csv_lines(map(row, page.data))
        if (cursor := page.next_cursor) is None:
            return
