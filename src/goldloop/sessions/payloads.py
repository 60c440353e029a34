"""What an event's payload must hold, which words a session is found by, and what of a large payload stays in its row. Pure."""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import msgspec

from goldloop.entities.records.words import words
from goldloop.kit.errors import Fault
from goldloop.kit.numbers import is_number

RESERVED = "session."  # how events of the session's own life begin; only the server writes them
LARGE = 64 * 1024  # bytes of a payload from which on the blob store has it
PREVIEW = 2000  # characters of each text that stay in the row
PREVIEW_ITEMS = 20  # entries of a list or an object that stay
MOST_WORDS = 300  # of one batch of events
READ_TOGETHER = 20  # texts: quicker than one by one, and not all where the first ones have words enough
MOST_COUNTED = 10**12  # tokens or dollars of one event: their sums stay numbers that can be stored

# The keys that programs rely on, by event: texts, and values of any kind.
_TEXTS = {
    "user.message": ("text",),
    "agent.message": ("text",),
    "tool.call": ("id", "name"),
    "tool.result": ("id",),
    "model.request": ("model",),
}
_VALUES = {"tool.call": ("arguments",)}
_COUNTED = 10**12  # tokens or dollars of one event: their sums stay numbers that can be stored

# The keys that programs rely on, by event, and whether they must be texts.
_NEEDED: dict[str, dict[str, type | None]] = {
    "user.message": {"text": str},
    "agent.message": {"text": str},
    "tool.call": {"id": str, "name": str, "arguments": None},
    "tool.result": {"id": str},
    "model.request": {"model": str},
}
_NONE_NEEDED: dict[str, type | None] = {}
_COUNTED = frozenset({"input_tokens", "output_tokens", "cost"})  # numbers from 0 on, where they are there
_SPOKEN = ("user.message", "agent.message")


class Kept(NamedTuple):
    """What goes into the row, and, where that is a preview, what the blob store is to have under which name."""

    payload: dict[str, Any]
    digest: str | None = None
    whole: bytes | None = None


def find_faults(kind: str, payload: Mapping[str, Any], at: str) -> list[Fault]:
    faults = [
        _missing(kind, "a text", f"{at}/payload/{key}")
        for key in _TEXTS.get(kind, ())
        if not isinstance(payload.get(key), str)
    ]
    for key in _VALUES.get(kind, ()):
        if key not in payload:
            faults.append(_missing(kind, "a value", f"{at}/payload/{key}"))
    if kind.startswith(RESERVED):
        faults.append(
            Fault(path=f"{at}/type", code="reserved", message="Events called session.… are the server's own")
        )
    if kind == "tool.result" and ("result" in payload) == ("error" in payload):
        faults.append(
            Fault(
                path=f"{at}/payload", code="result_or_error", message="tool.result has a result or an error"
            )
        )
    if _COUNTED.isdisjoint(payload):
        return faults
    for key in sorted(_COUNTED):
        value = payload.get(key)
        if value is not None and (not is_number(value) or not 0 <= value <= MOST_COUNTED):
            message = f"This is a number from 0 to {MOST_COUNTED:,}"
            faults.append(Fault(path=f"{at}/payload/{key}", code="not_a_count", message=message))
    return faults


def _missing(kind: str, what: str, at: str) -> Fault:
    return Fault(path=at, code="required", message=f"{kind} has {what} here")


def is_large(payload: dict[str, Any]) -> bool:
    """Whether the blob store has to have it."""
    return len(msgspec.json.encode(payload)) >= LARGE


def keep(payload: dict[str, Any]) -> Kept:
    """A payload of ordinary size as it is; of a large one a preview, and the whole for the blob store."""
    whole = msgspec.json.encode(payload)
    if len(whole) < LARGE:
        return Kept(payload)
    return Kept(
        {key: _preview(value, 2) for key, value in payload.items()}, hashlib.sha256(whole).hexdigest(), whole
    )


def _preview(value: Any, levels: int) -> Any:
    """Short texts and numbers as they are, so that ids and names stay; the rest is cut."""
    if isinstance(value, str):
        return value if len(value) <= PREVIEW else f"{value[:PREVIEW]}…"
    if isinstance(value, dict):
        if not levels:
            return {}
        return {key[:200]: _preview(inner, levels - 1) for key, inner in list(value.items())[:PREVIEW_ITEMS]}
    if isinstance(value, list):
        return [_preview(inner, levels - 1) for inner in value[:PREVIEW_ITEMS]] if levels else []
    return value


def spoken_words(events: Iterable[tuple[str, Mapping[str, Any]]]) -> list[str]:
    """The words of what people and agents said, each once."""
    texts = [
        payload["text"][:20_000]
        for kind, payload in events
        if kind in _SPOKEN and isinstance(payload.get("text"), str)
    ]
    found: dict[str, None] = {}
    for start in range(0, len(texts), READ_TOGETHER):
        found |= dict.fromkeys(words("\n".join(texts[start : start + READ_TOGETHER]), MOST_WORDS))
        if len(found) >= MOST_WORDS:
            break
    return list(found)[:MOST_WORDS]
