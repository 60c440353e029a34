"""The single source of which signs an id, a name and JSON may hold, and how a pattern says so. Pure.

A pattern is read twice: by Python's `re` when a request comes, and by whoever reads our OpenAPI document, where
patterns are those of ECMAScript. So they use only what means the same in both.
"""

import re
from collections.abc import Iterator
from itertools import accumulate, islice
from typing import Any

from goldloop.kit.errors import Fault
from goldloop.kit.pointers import pointer

NUL = "\x00"
NO_NUL = "Text may not contain the character U+0000"
MOST_PLACES = 20  # that one answer names
DEEPEST = 100  # levels of a JSON document: far more than any form of ours, far fewer than Python can follow

# Controls, line and paragraph separators: they break a line of a list, a log or a header.
_CONTROLS = r"\x00-\x1f\x7f-\x9f\u2028\u2029"
# Turn around how the rest of a line is read.
_BIDI = r"\u202a-\u202e\u2066-\u2069"
# Not seen at all, so that two ids look the same: soft hyphen, marks of direction, joiners, zero-width spaces.
_UNSEEN = r"\xad\u061c\u180e\u200b-\u200f\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb"

HIDDEN = _CONTROLS + _BIDI + _UNSEEN


def whole(pattern: str) -> str:
    """A pattern for all of a text. `$` alone also matches before a line break at the end in Python; `\\Z` is
    unknown elsewhere."""
    return rf"^(?:{pattern})$(?!\n)"


def _framed(refused: str) -> str:
    """One line without these signs, and without spaces before or after."""
    return whole(rf"[^\s{refused}](?:[^{refused}]*[^\s{refused}])?")


ID_PATTERN = _framed(HIDDEN)  # what clients call their own things: a person sees all of it
PATH_ID_PATTERN = _framed(HIDDEN + "/")  # an id that is one part of an address
NAME_PATTERN = whole(  # shown to people: one line with something on it
    rf"[^\S{_CONTROLS}{_BIDI}]*[^\s{_CONTROLS}{_BIDI}][^{_CONTROLS}{_BIDI}]*"
)

_ID = re.compile(ID_PATTERN)
_NAME = re.compile(NAME_PATTERN)
_UNPRINTED = re.compile(rf"[{_CONTROLS}{_BIDI}\ud800-\udfff]")


def slug_pattern(longest: int, signs: str = "a-z0-9_-") -> str:
    return whole(rf"[a-z0-9][{signs}]{{0,{longest - 1}}}")


def is_id(text: str) -> bool:
    return _ID.search(text) is not None


def is_name(text: str) -> bool:
    """One line with something on it. Joiners are part of how some languages and emoji are written."""
    return _NAME.search(text) is not None


def on_one_line(text: str) -> str:
    """With what would end the line, move the cursor or turn it around written as an escape."""
    return _UNPRINTED.sub(lambda sign: sign[0].encode("unicode_escape", "surrogatepass").decode(), text)


_DELTA = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_NO_BRACKETS = bytes(set(range(256)) - _DELTA.keys())


def is_too_deep(body: bytes) -> bool:
    """Whether JSON is nested over DEEPEST levels, seen before anything follows it down."""
    if body.count(b"[") + body.count(b"{") <= DEEPEST:
        return False
    unescaped = body.replace(rb"\\", b"").replace(rb"\"", b"")
    outside_strings = b"".join(unescaped.split(b'"')[::2]).translate(None, _NO_BRACKETS)
    return max(accumulate(map(_DELTA.__getitem__, outside_strings)), default=0) > DEEPEST


def may_hold_nul(body: bytes) -> bool:
    """Cheap and never wrong about "no": in JSON the sign U+0000 is written in this one way."""
    return rb"\u0000" in body


def nul_faults(value: Any, *at: str | int) -> list[Fault]:
    """One for each of the first places that hold the sign."""
    return [nul_fault(place) for place in islice(_nul_places(value, *at), MOST_PLACES)]


def nul_fault(place: str) -> Fault:
    return Fault(path=place, code="nul_character", message=NO_NUL)


def _nul_places(value: Any, *at: str | int) -> Iterator[str]:
    """JSON pointers to texts and keys with U+0000, which PostgreSQL cannot store."""
    if isinstance(value, str):
        if "\x00" in value:
            yield pointer(*at)
    elif isinstance(value, dict):
        for key, inner in value.items():
            if "\x00" in key:
                yield pointer(*at, key)
            yield from _nul_places(inner, *at, key)
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _nul_places(inner, *at, place)
