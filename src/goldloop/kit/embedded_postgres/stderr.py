"""Reads from the stderr of a PostgreSQL program why it failed."""

import re

_LINE = re.compile(r"\b((?:ERROR|FATAL|PANIC|HINT|error):.*)")
_ERROR = re.compile(r"\b(?:ERROR|FATAL|PANIC|error):")
_LINES = 3  # what fits a message; the rest is in the log


def has_errors(stderr: str) -> bool:
    return _ERROR.search(stderr) is not None


def reason(stderr: str) -> str:
    """The first lines with an error, without their time stamps; else the last lines."""
    errors = [found.group(1) for line in stderr.splitlines() if (found := _LINE.search(line))]
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    return "; ".join(errors[:_LINES] or lines[-_LINES:]) or "there was no output"
