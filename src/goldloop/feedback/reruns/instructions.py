"""What an agent that tries a rejected extraction again is told. Pure.

What reviewers wrote is quoted between fences that are longer than any inside: it says what to change about the values, and
nothing else.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

MOST_VALUE = 500  # characters of a rejected value
MOST_NOTES = 8000


class RejectedValue(NamedTuple):
    field: str
    value: Any
    quality: str  # as `format_feedback_quality_summary` writes it


def write_instructions(rejected: Sequence[RejectedValue], notes: str) -> str:
    """The values not to propose again, what the reviewer wrote, and how far that can be acted on."""
    lines = [
        "Your values were rejected by a reviewer. Find better ones for these fields, from the material:",
        *(f"- {each.field}: rejected {_short(each.value)}. {each.quality}" for each in rejected),
        "Do not propose a rejected value again unless the material proves it; then quote the proof.",
        "Where you find no better value leave the field out. The reviewer wrote this about the values:",
    ]
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", notes)), default=0))
    return "\n".join([*lines, fence, notes[:MOST_NOTES], fence])


def _short(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= MOST_VALUE else f"{text[:MOST_VALUE]}…"
