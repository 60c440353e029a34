"""Tables as files that spreadsheets open: RFC 4180, and no text in them is taken for a formula. Pure."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

BOM = "\ufeff"  # tells spreadsheets that a file is UTF-8
Cell = str | int | float | None

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
