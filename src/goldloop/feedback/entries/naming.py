"""Which fields a note speaks of, of those that it was written about. Pure.

A reviewer rejects a response as a whole and writes down what is wrong with one value of it. The others are rejected as well, but
the note says nothing about them.
"""

import re
from collections.abc import Mapping


def named_fields(note: str, labels: Mapping[str, str | None]) -> set[str]:
    """Those whose key or label is in the note, as whole words; none where it names none."""
    text = note.casefold()
    return {key for key, label in labels.items() if any(_has(text, name) for name in (key, label) if name)}


def _has(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", text) is not None
