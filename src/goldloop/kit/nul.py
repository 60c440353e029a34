"""The one character that JSON has and PostgreSQL has not. Pure."""

from typing import Any

import msgspec

from goldloop.kit.errors import Fault
from goldloop.kit.pointers import pointer

NUL = "\x00"


def find_nul(value: Any, *at: str | int) -> list[Fault]:
    """The first text or name with U+0000 in it, as a fault at its place; nothing where there is none."""
    if b"\\u0000" not in msgspec.json.encode(value):  # far cheaper than a walk, and nearly always the answer
        return []
    waiting: list[tuple[tuple[str | int, ...], Any]] = [(at, value)]
    for place, item in waiting:
        if isinstance(item, dict):
            waiting.extend(((*place, name), each) for name, each in item.items())
            item = "".join(item)
        elif isinstance(item, list):
            waiting.extend(((*place, number), each) for number, each in enumerate(item))
        if isinstance(item, str) and NUL in item:
            message = "Text may not contain the character U+0000"
            return [Fault(path=pointer(*place).replace(NUL, ""), code="nul_character", message=message)]
    return []
