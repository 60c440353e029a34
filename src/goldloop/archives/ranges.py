"""Which bytes of a file a `Range` header asks for. Pure."""

import re
from typing import NamedTuple

_RANGE = re.compile(r"bytes=(\d*)-(\d*)")


class Span(NamedTuple):
    """From `start` up to `end`, which is not in it."""

    start: int
    end: int


def asked_span(header: str | None, size: int) -> Span | None:
    """None for all of it: without a header, and for one that this does not understand, as RFC 9110 wants it. Raises ValueError
    where nothing of what it asks for is there."""
    match = _RANGE.fullmatch(header.strip()) if header else None
    if match is None or not (match[1] or match[2]):
        return None
    first, last = match[1], match[2]
    if not first:
        span = Span(max(size - int(last), 0), size)
    else:
        span = Span(int(first), min(int(last) + 1, size) if last else size)
        if last and int(last) < int(first):
            return None
    if span.start >= span.end:
        raise ValueError(f"the file has {size} bytes")
    return span
