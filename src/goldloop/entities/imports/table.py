"""A table as records: which column is which field, and what the text of a cell is as a value of that field. Pure.

What `records.csv` writes is read again as it was: the apostrophe before what a spreadsheet would compute goes, and columns that
the server fills are left out.
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.entities.fields import FieldShape, describe_field
from goldloop.entities.imports.model import RowFault
from goldloop.kit.csv_table import BOM, separated, unguarded
from goldloop.kit.text import is_name

MOST_ROWS = 5000  # one transaction bears them
TITLE, ID, TYPE = "title", "id", "type"
FILLED = ("score", "created_at", "updated_at")  # by the server
MOST_TITLE = 500
_BOOLEANS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


class BadTable(ValueError):
    """What makes a file unreadable as a whole."""


class ReadRow(NamedTuple):
    place: int
    id: UUID | None
    title: str
    content: dict[str, Any]


class ReadTable(NamedTuple):
    columns: list[str]
    left_out: list[str]
    rows: list[ReadRow]
    faults: list[RowFault]


def read_table(text: str, slug: str, json_schema: Mapping[str, Any]) -> ReadTable:
    """Every row, with what is wrong in it. Raises BadTable."""
    lines = _lines(text)
    head = next(lines, None)
    if head is None:
        raise BadTable("The file is empty")
    names = [unguarded(name).strip() for name in head[1]]
    faults, shapes = _check_head(names, json_schema)
    rows: list[ReadRow] = []
    for place, cells in lines:
        if len(rows) >= MOST_ROWS:
            raise BadTable(f"A file has at most {MOST_ROWS} rows: import it in parts, or by a program")
        row, wrong = _read_row(place, names, cells, slug, shapes)
        rows.append(row)
        faults += wrong
    kept = [name for name in names if name in shapes or name in (TITLE, ID, TYPE)]
    return ReadTable(kept, [name for name in names if name in FILLED], rows, faults)


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Rows that hold anything, with the line that a spreadsheet shows each as. Semicolons and tabs separate as well, where the
    head has more of them."""
    text = text.removeprefix(BOM)
    head = text.partition("\n")[0]
    separator = max(",;\t", key=head.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    place = 0
    try:
        for cells in reader:
            place += 1
            if any(cell.strip() for cell in cells):
                yield place, cells
    except csv.Error as error:
        raise BadTable(f"Row {place + 1} is not CSV: {error}") from error


def _check_head(
    names: Sequence[str], json_schema: Mapping[str, Any]
) -> tuple[list[RowFault], dict[str, FieldShape]]:
    faults: list[RowFault] = []
    shapes: dict[str, FieldShape] = {}
    if TITLE not in names:
        faults.append(_fault(1, TITLE, "missing_column", "There is no column title"))
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            faults.append(_fault(1, name, "column_twice", "This column is there twice"))
        shape = describe_field(json_schema, name)
        if shape is not None and name not in (TITLE, ID, TYPE):
            shapes[name] = shape
        elif name not in (TITLE, ID, TYPE, *FILLED):
            faults.append(_fault(1, name, "unknown_column", "The type has no such field"))
    return faults, shapes


def _read_row(
    place: int, names: Sequence[str], cells: Sequence[str], slug: str, shapes: Mapping[str, FieldShape]
) -> tuple[ReadRow, list[RowFault]]:
    faults: list[RowFault] = []
    if len(cells) > len(names):
        faults.append(
            _fault(place, None, "too_many_cells", f"The row has {len(cells)} cells, the head {len(names)}")
        )
    given = {name: unguarded(cell) for name, cell in zip(names, cells, strict=False) if cell.strip()}
    content: dict[str, Any] = {}
    for name, shape in shapes.items():
        if name in given:
            try:
                content[name] = read_cell(given[name], shape.types)
            except ValueError as error:
                faults.append(_fault(place, name, "not_of_type", str(error)))
    title = given.get(TITLE, "").strip()
    if not is_name(title) or len(title) > MOST_TITLE:
        faults.append(
            _fault(place, TITLE, "bad_title", f"A title is one line of 1 to {MOST_TITLE} characters")
        )
    if given.get(TYPE, slug) != slug:
        faults.append(_fault(place, TYPE, "other_type", f"The records are of the type {slug}"))
    found = None
    if text := given.get(ID):
        try:
            found = UUID(text)
        except ValueError:
            faults.append(_fault(place, ID, "bad_id", "This is not an id"))
    return ReadRow(place, found, title, content), faults


def read_cell(text: str, types: frozenset[str]) -> Any:
    """A cell as a value of the first type that it can be one of; without types it is text. Raises ValueError."""
    plain = text.strip()
    if not types or "string" in types:
        return text
    if types & {"number", "integer"}:
        try:
            return _number(plain, whole="number" not in types)
        except ValueError:
            if not types & {"boolean", "array", "object"}:
                raise
    if "boolean" in types and plain.lower() in _BOOLEANS:
        return _BOOLEANS[plain.lower()]
    if types & {"array", "object"}:
        return _structure(plain, types)
    raise ValueError(
        "This is neither true nor false" if "boolean" in types else f"This is no {' or '.join(sorted(types))}"
    )


def _number(text: str, *, whole: bool) -> int | float:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        read = float(text)
    except ValueError as error:
        raise ValueError("This is no whole number" if whole else "This is no number") from error
    if read != read or read in (float("inf"), float("-inf")):
        raise ValueError("This is no number")
    if whole and not read.is_integer():
        raise ValueError("This is no whole number")
    return int(read) if whole else read


def _structure(text: str, types: frozenset[str]) -> Any:
    """JSON, or for a list texts with commas between them."""
    if text[:1] in "[{":
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ValueError("This begins like JSON and is none") from error
    if "array" not in types:
        raise ValueError("This is no JSON object")
    return separated(text)


def without_empty(content: Mapping[str, Any]) -> dict[str, Any]:
    """What a table tells of a record: an empty cell is no value, whatever was empty there."""
    return {
        name: value
        for name, value in content.items()
        if value is not None and value != [] and not (isinstance(value, str) and not value.strip())
    }


def _fault(row: int, column: str | None, code: str, message: str) -> RowFault:
    return RowFault(row=row, column=column, code=code, message=message)
