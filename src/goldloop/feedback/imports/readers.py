"""The rows of a file, one after the other: JSON lines, a JSON array (also under `data`), or CSV. Pure.

A file is never read as a whole, and a row that cannot be read is told with its place and passed over.
"""

import csv
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec

MOST_ROW = 2_000_000  # characters of one row
_ARRAY = re.compile(r"\s*(?:\{\s*\"data\"\s*:\s*)?\[")
_BETWEEN = re.compile(r"[\s,]*")


class BadFile(ValueError):
    """What makes a file unreadable as a whole."""


class Row(NamedTuple):
    """`place` counts from 1; of one that could not be read `values` is None and `fault` says why."""

    place: int
    values: dict[str, Any] | None
    fault: str = ""


def read_rows(chunks: Iterable[bytes]) -> Iterator[Row]:
    """Whatever the format: it is known by its first characters."""
    pieces = iter(chunks)
    first = next(pieces, b"")
    while first and len(first) < 1000 and (more := next(pieces, b"")):
        first += more
    if first[:4] == b"PAR1":
        raise BadFile("This is a Parquet file. Export JSON lines or CSV, or convert it")
    texts = _decoded(_chained(first, pieces))
    text = next(texts, "")
    beginning = text.lstrip("\ufeff \t\r\n")
    if _ARRAY.match(beginning):
        return _array(beginning, texts)
    if beginning.startswith("{"):
        return _lines(beginning, texts)
    if beginning[:1] in ("", "["):
        return iter(())
    return _csv(beginning, texts)


def _chained(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


def _decoded(chunks: Iterator[bytes]) -> Iterator[str]:
    """What is no UTF-8 becomes U+FFFD, and so does what cannot be stored."""
    import codecs

    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    for chunk in chunks:
        if text := decoder.decode(chunk).replace("\x00", "\ufffd"):
            yield text
    if text := decoder.decode(b"", final=True):
        yield text


def _each_line(text: str, texts: Iterator[str]) -> Iterator[str]:
    kept = text
    for more in texts:
        *whole, kept = (kept + more).split("\n")
        yield from whole
        if len(kept) > MOST_ROW:
            raise BadFile(f"A line has more than {MOST_ROW:,} characters")
    yield from kept.split("\n")


def _lines(text: str, texts: Iterator[str]) -> Iterator[Row]:
    place = 0
    for line in _each_line(text, texts):
        if line.strip():
            place += 1
            yield _row(place, line)


def _row(place: int, line: str) -> Row:
    try:
        return _checked(place, msgspec.json.decode(line))
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        return Row(place, None, f"This is not JSON: {error}"[:200])


def _checked(place: int, value: Any) -> Row:
    return Row(place, value) if isinstance(value, dict) else Row(place, None, "A row is an object")


def _array(text: str, texts: Iterator[str]) -> Iterator[Row]:
    decoder = json.JSONDecoder()
    opened = _ARRAY.match(text)
    assert opened is not None
    kept, at, place = text, opened.end(), 0
    while True:
        at = _BETWEEN.match(kept, at).end()  # type: ignore[union-attr]
        if kept.startswith("]", at):
            return
        try:
            value, end = decoder.raw_decode(kept, at)
        except (json.JSONDecodeError, RecursionError) as error:
            more = next(texts, None)
            if more is None or len(kept) - at > MOST_ROW:
                raise BadFile(f"The array is broken after its row {place}: {error}"[:300]) from error
            kept, at = kept[at:] + more, 0
            continue
        if (
            end == len(kept)
            and not isinstance(value, dict | list | str)
            and (more := next(texts, None)) is not None
        ):
            kept, at = kept[at:] + more, 0  # a number may go on
            continue
        place += 1
        yield _checked(place, value)
        at = end
        if at == len(kept):
            kept, at = next(texts, "]"), 0


def _csv(text: str, texts: Iterator[str]) -> Iterator[Row]:
    csv.field_size_limit(MOST_ROW)
    reader = csv.DictReader(line + "\n" for line in _each_line(text, texts))
    place = 0
    try:
        for values in reader:
            place += 1
            if values.get(None):
                yield Row(place, None, "It has more values than the heading has columns")
            else:
                yield Row(place, {key: value for key, value in values.items() if value not in (None, "")})
    except csv.Error as error:
        raise BadFile(f"The table is broken after its row {place}: {error}") from error
