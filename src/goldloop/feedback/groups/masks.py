"""What differs from one failure to the next although the reason is the same, masked; and which masked reasons are one. Pure.

Two reasons are one when they have as many tokens and most of them are equal. On the logs of fourteen systems that finds more
of the same, and less of what differs, than learning a tree of templates.
"""

import re
from collections.abc import Sequence

SAME_TOKENS = 0.70  # of two reasons that are one
MOST_TOKENS = 60  # of a reason: what follows is a traceback, or what was being worked on

_MASKS = [  # in this order: what an earlier one took is no part of what a later one sees
    (re.compile(r"\b[a-z][a-z0-9+.-]*://\S+", re.IGNORECASE), "<url>"),
    (re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"), "<email>"),
    (re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b", re.IGNORECASE), "<uuid>"),
    (
        re.compile(r"\"[^\"\n]{1,200}\"|“[^”\n]{1,200}”|`[^`\n]{1,200}`|(?<!\w)'[^'\n]{1,200}'(?!\w)"),
        "<text>",
    ),
    (re.compile(r"(?<![\w<])(?:[A-Za-z]:)?(?:[\\/][\w.@~-]+){2,}[\\/]?"), "<path>"),
    (re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b"), "<ip>"),
    (re.compile(r"\b0x[0-9a-f]+\b", re.IGNORECASE), "<hex>"),
    (re.compile(r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,}\b", re.IGNORECASE), "<hex>"),
    (re.compile(r"(?<![\w<])[-+]?\d+(?:[.,:]\d+)*(?![\w>])"), "<number>"),
    (re.compile(r"\b(?=\w*\d)(?=\w*[^\W\d_])\w+\b"), "<name>"),
]
_EXCEPTION = re.compile(r"\b(?:[A-Za-z_]\w*\.)*([A-Z]\w*(?:Error|Exception|Timeout|Failure|Interrupt))\b")


def masked(text: str) -> str:
    """With addresses, ids, paths, quotations and numbers replaced, on one line."""
    for pattern, name in _MASKS:
        text = pattern.sub(name, text)
    return " ".join(text.split())


def reason_tokens(text: str) -> list[str]:
    return masked(text).split()[:MOST_TOKENS]


def exception_class(text: str) -> str:
    """The first class of an exception that a reason names, "" without one."""
    found = _EXCEPTION.search(text)
    return found[1] if found else ""


def is_same_reason(one: Sequence[str], other: Sequence[str]) -> bool:
    if len(one) != len(other) or not one:
        return False
    return sum(a == b for a, b in zip(one, other, strict=True)) >= SAME_TOKENS * len(one)
