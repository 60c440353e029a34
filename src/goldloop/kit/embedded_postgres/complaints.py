"""Why a PostgreSQL program failed, from all that it said."""

import re

_LINE = re.compile(r"\b((?:ERROR|FATAL|PANIC|HINT|error):.*)")
_ERROR = re.compile(r"\b(?:ERROR|FATAL|PANIC|error):")
_LINES = 3  # what fits a message; the rest is in the log


def has_complaints(said: str) -> bool:
    return _ERROR.search(said) is not None


def reason(said: str) -> str:
    """The first lines that complain, without their time stamps; else the last lines."""
    complaints = [found.group(1) for line in said.splitlines() if (found := _LINE.search(line))]
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return "; ".join(complaints[:_LINES] or lines[-_LINES:]) or "it said nothing"
