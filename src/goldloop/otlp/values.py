"""Values of attributes, which are often JSON in a text, and now and then the text that Python prints. Pure."""

import ast
from typing import Any

import msgspec

from goldloop.kit.text import is_too_deep

_MOST_PRINTED = 20_000  # characters of a text that Python printed: reading one takes long
_NOT_GIVEN = {"", "null", "none", "undefined", "unknown", "nan", "<not specified>", "n/a"}
_SCRUBBED = "[scrubbed"  # how Logfire writes over what might be a secret, session ids among them
_LONGEST_ID = 200


def read_json(value: Any) -> Any:
    """What a text holds as JSON where it is that, else the value as it is."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    if not text or text[0] not in '{["-0123456789tfn':
        return value
    encoded = text.encode(errors="replace")
    try:
        return value if is_too_deep(encoded) else msgspec.json.decode(encoded)
    except (ValueError, RecursionError):  # also for a number with thousands of digits
        return value


def read_structure(value: Any) -> Any:
    """As `read_json`, but only objects and lists; a text that holds a number or a text stays what it is."""
    found = read_json(value)
    return found if isinstance(found, dict | list) else value


def read_printed(value: Any) -> Any:
    """As `read_structure`, also of what Python printed: `{'city': 'Paris'}`."""
    found = read_structure(value)
    if not isinstance(found, str) or found[:1] not in ("{", "[") or len(found) > _MOST_PRINTED:
        return found
    try:
        printed = ast.literal_eval(found)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return found
    return printed if _is_json(printed) else found


def _is_json(value: Any) -> bool:
    try:
        msgspec.json.encode(value, order="sorted")  # keys are texts
    except (TypeError, msgspec.MsgspecError, RecursionError, UnicodeEncodeError):
        return False
    return isinstance(value, dict | list)


def given_id(value: Any) -> str | None:
    """An id that somebody gave: a short text or a number, not a placeholder."""
    if value is None or isinstance(value, bool) or not isinstance(value, str | int):
        return None
    text = str(value).replace("\x00", "").strip()
    if len(text) >= 2 and text[0] == text[-1] == '"':
        text = text[1:-1].strip()
    known = text.lower()
    if known in _NOT_GIVEN or known.startswith(_SCRUBBED) or len(text) > _LONGEST_ID:
        return None
    return text


def text_of(value: Any) -> str:
    """A value as text: what is one already, else as JSON."""
    if isinstance(value, str):
        return value
    return "" if value is None else msgspec.json.encode(value).decode()


def cleaned(value: Any) -> Any:
    """The value without U+0000, which PostgreSQL cannot store."""
    if isinstance(value, str):
        return value.replace("\x00", "\ufffd") if "\x00" in value else value
    if isinstance(value, dict):
        return {cleaned(str(key)): cleaned(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [cleaned(inner) for inner in value]
    return value
