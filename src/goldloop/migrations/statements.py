"""Cuts a script into its statements: a sharded database takes one that changes a table only in a message of its own. Pure."""

import re
from collections.abc import Iterator

_PART = re.compile(
    r"""
    --[^\n]*                       # a comment to the end of the line
    | /\*.*?\*/                    # one in between
    | '(?:[^']|'')*'               # a literal
    | "(?:[^"]|"")*"               # a name in quotes
    | (\$(?:[A-Za-z_]\w*)?\$).*?\1 # a body
    | ;
    | [^-/'"$;]+
    | .
    """,
    re.VERBOSE | re.DOTALL,
)


def statements(script: str) -> Iterator[str]:
    """In order, without the semicolon; what only comments is left out."""
    text, has_words = "", False
    for part in _PART.finditer(script):
        found = part[0]
        if found == ";":
            if has_words:
                yield text.strip()
            text, has_words = "", False
            continue
        text += found
        has_words = has_words or not (found.isspace() or found.startswith(("--", "/*")))
    if has_words:
        yield text.strip()
