"""Any value of a program as JSON that the server takes and that is not too long. Pure.

What JSON has no form for is shown as `repr` shows it; what cannot be stored (U+0000, half characters) is replaced by U+FFFD.
"""

import math
import re
from collections.abc import Mapping
from typing import Any

import msgspec

MOST_BYTES = 512 * 1024  # half of what the server takes in one call unless it is set up otherwise
DEEPEST = 60  # levels; the server takes 100 of a whole body
LONGEST_REPR = 10_000  # characters
LARGEST = 2**63  # a whole number from here on becomes text: many programs cannot read it
SIZES = (1e-50, 1e50)  # of a fraction that the server takes; others become text
CUT = "…"

_NUL = rb"\u0000"
_BROKEN = re.compile("[\x00\ud800-\udfff]")
_TEXTS = re.compile(rb'"(?:[^"\\]|\\.)*"')
_EXTREME_NUMBER = re.compile(rb"[\[:,]-?(?:[0-9]{19}|[0-9.]+[eE][+-]?[0-9]{2})")  # or what looks like one


def encode_object(values: Mapping[str, Any], most: int = MOST_BYTES) -> msgspec.Raw:
    """An object of at most that many bytes. Values that make it longer are cut to the beginning of their text, the longest
    first; `cut` says which."""
    content = _encoded(values)
    return msgspec.Raw(content if len(content) <= most else _fitted(content, most))


def _encoded(values: Mapping[str, Any]) -> bytes:
    try:
        content = msgspec.json.encode(values, enc_hook=_shown)
        if not _may_be_refused(content):
            return content
    except Exception:  # whatever a value does while it is looked at
        pass
    return msgspec.json.encode(_plain(values, DEEPEST, frozenset()))


def _may_be_refused(content: bytes) -> bool:
    return _NUL in content or _EXTREME_NUMBER.search(content) is not None or _depth(content) > DEEPEST


def _depth(content: bytes) -> int:
    if content.count(b"[") + content.count(b"{") <= DEEPEST:
        return 0
    depth = deepest = 0
    for sign in _TEXTS.sub(b"", content):
        if sign in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif sign in b"]}":
            depth -= 1
    return deepest


def _shown(value: Any) -> Any:
    """What stands for a value that JSON has no form for: the fields of a Pydantic model, else its `repr`."""
    if not isinstance(value, type) and callable(dump := getattr(value, "model_dump", None)):
        try:
            return dict(dump(mode="json"))
        except Exception:
            return _repr(value)
    return _repr(value)


def _repr(value: Any) -> str:
    try:
        text = repr(value)
    except Exception:
        text = f"<{type(value).__name__}>"
    return _text(text if len(text) <= LONGEST_REPR else text[:LONGEST_REPR] + CUT)


def _text(text: str) -> str:
    return _BROKEN.sub("\ufffd", text)


def _plain(value: Any, levels: int, above: frozenset[int]) -> Any:
    """The same, looked at part by part: for what the quick way cannot do. `above` are the objects that this one is in."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, float):
        is_extreme = math.isfinite(value) and value and not SIZES[0] <= abs(value) <= SIZES[1]
        return _repr(value) if is_extreme else value
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int):
        return value if abs(value) < LARGEST else _repr(value)
    if not levels or id(value) in above:
        return CUT
    inner, within = levels - 1, above | {id(value)}
    if isinstance(value, Mapping):
        return {
            _text(str(key)) if isinstance(key, str | int) else _repr(key): _plain(each, inner, within)
            for key, each in value.items()
        }
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(each, inner, within) for each in value]
    try:
        fields = msgspec.to_builtins(value, enc_hook=_shown, str_keys=True)
    except Exception:
        return _repr(value)
    return _plain(fields, inner, within)


def _fitted(content: bytes, most: int) -> bytes:
    """Short values stay; the others share what they leave."""
    values = msgspec.json.decode(content, type=dict[str, msgspec.Raw])
    sizes = {name: len(name.encode()) * 6 + len(bytes(value)) + 4 for name, value in values.items()}
    left = most - 2 - len(b',"cut":[]')
    kept: dict[str, Any] = {}
    for place, name in enumerate(sorted(values, key=sizes.__getitem__)):
        room = left // (len(values) - place)
        if sizes[name] > room:
            room -= len(name.encode()) * 12 + 8  # it is named twice
            kept[name] = _beginning(bytes(values[name]), room) if room > 0 else None
            left -= sizes[name] - len(bytes(values[name])) + len(name.encode()) * 6 + 4
            left -= len(msgspec.json.encode(kept[name]))
        else:
            kept[name] = values[name]
            left -= sizes[name]
    cut = [name for name in values if kept[name] is not values[name]]
    return msgspec.json.encode(
        {name: kept[name] for name in values} | ({} if "cut" in values else {"cut": cut})
    )


def _beginning(content: bytes, most: int) -> str:
    """Of a text, or of the JSON of anything else: at most so many bytes of JSON."""
    text = msgspec.json.decode(content) if content.startswith(b'"') else content.decode()
    length = min(len(text), most)
    while length and (size := len(msgspec.json.encode(text[:length] + CUT))) > most:
        length = min(length - 1, length * most // size)
    return str(text[:length]) + CUT
