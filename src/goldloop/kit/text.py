"""The single source of which characters an id, a name and JSON may hold, as regular expressions. Pure.

Patterns are used twice: by Python's `re` to check requests, and in the OpenAPI document, where they are ECMAScript.
So they use only syntax that means the same in both.
"""

import json
import re
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from goldloop.kit.errors import Fault
from goldloop.kit.json_search import find_pointers

NUL = "\x00"
NO_NUL = "Text may not contain the character U+0000"
DEEPEST = 100  # levels of a JSON document: far more than any form of ours, far fewer than Python can follow

# Controls, line and paragraph separators: they break a line of a list, a log or a header.
_CONTROLS = r"\x00-\x1f\x7f-\x9f\u2028\u2029"
# Turn around how the rest of a line is read.
_BIDI = r"\u202a-\u202e\u2066-\u2069"
# Not seen at all, so that two ids look the same: soft hyphen, marks of direction, joiners, zero-width spaces.
_UNSEEN = r"\xad\u061c\u180e\u200b-\u200f\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb"

HIDDEN = _CONTROLS + _BIDI + _UNSEEN


def full_match(pattern: str) -> str:
    """A pattern for all of a text. `$` alone also matches before a line break at the end in Python; `\\Z` is
    unknown elsewhere."""
    return rf"^(?:{pattern})$(?!\n)"


def _trimmed_line(refused: str) -> str:
    """One line without these characters, and without spaces before or after."""
    return full_match(rf"[^\s{refused}](?:[^{refused}]*[^\s{refused}])?")


ID_PATTERN = _trimmed_line(HIDDEN)  # what clients call their own things: a person sees all of it
PATH_ID_PATTERN = _trimmed_line(HIDDEN + "/")  # an id that is one part of an address
NAME_PATTERN = full_match(  # shown to people: one line with something on it
    rf"[^\S{_CONTROLS}{_BIDI}]*[^\s{_CONTROLS}{_BIDI}][^{_CONTROLS}{_BIDI}]*"
)

_ID = re.compile(ID_PATTERN)
_NAME = re.compile(NAME_PATTERN)
_UNPRINTED = re.compile(rf"[{_CONTROLS}{_BIDI}\ud800-\udfff]")


def slug_pattern(longest: int, characters: str = "a-z0-9_-") -> str:
    return full_match(rf"[a-z0-9][{characters}]{{0,{longest - 1}}}")


def is_id(text: str) -> bool:
    return _ID.search(text) is not None


def is_name(text: str) -> bool:
    """One line with something on it. Joiners are part of how some languages and emoji are written."""
    return _NAME.search(text) is not None


def on_one_line(text: str) -> str:
    """The text with line breaks, control and bidirectional characters escaped."""
    return _UNPRINTED.sub(lambda sign: sign[0].encode("unicode_escape", "surrogatepass").decode(), text)


_AS_BRACKETS = bytes.maketrans(b"{}", b"[]")
_NEITHER = bytes(set(range(256)) - set(b'[]{}"'))  # brackets nor quotes
_DELTA = {ord("["): 1, ord("]"): -1}


def is_too_deep(body: bytes) -> bool:
    """Whether JSON is nested over DEEPEST levels; checked before it is decoded."""
    if body.count(b"[") + body.count(b"{") <= DEEPEST:
        return False
    escapes = b"\\" in body
    unescaped = body.replace(rb"\\", b"").replace(rb"\"", b"") if escapes else body
    signs = unescaped.translate(_AS_BRACKETS, _NEITHER)
    brackets = b"".join(signs.split(b'"')[::2])
    deepest = DEEPEST
    while 4 * brackets.count(b"[]") > len(
        brackets
    ):  # most are side by side: takes away the level that is deepest
        brackets = brackets.replace(b"[]", b"")
        deepest -= 1
    return max(accumulate(map(_DELTA.__getitem__, brackets)), default=0) > deepest


def may_hold_nul(body: bytes) -> bool:
    """A cheap pre-check without false negatives: JSON has only this way to write U+0000."""
    return rb"\u0000" in body


def nul_faults(value: Any, *at: str | int) -> list[Fault]:
    """One fault for each of the first parts with U+0000, which PostgreSQL cannot store."""
    return [nul_fault(place) for place in find_pointers(value, {str}, _with_nul, *at)]


def nul_fault(place: str) -> Fault:
    return Fault(path=place, code="nul_character", message=NO_NUL)


def _with_nul(parts: Sequence[Any]) -> list[int]:
    return [index for index, part in enumerate(parts) if type(part) is str and NUL in part]


_BROKEN = re.compile(rb"\\u0000|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\x00")
_HALF = re.compile("[\x00\ud800-\udfff]")


def mend_json(body: bytes) -> bytes:
    """JSON in which U+0000, halves of characters and bytes that are no text are U+FFFD; what is not JSON stays as it is."""
    try:
        text = body.decode()
        if (b"\\u" not in body and b"\x00" not in body) or not _BROKEN.search(body):
            return body
    except UnicodeDecodeError:
        text = body.decode(errors="replace")
    try:
        return json.dumps(_mended(json.loads(text))).encode()
    except (ValueError, RecursionError):
        return body


def _mended(value: Any) -> Any:
    if isinstance(value, str):
        return _HALF.sub("\ufffd", value)
    if isinstance(value, list):
        return [_mended(inner) for inner in value]
    if isinstance(value, dict):
        return {_mended(key): _mended(inner) for key, inner in value.items()}
    return value
