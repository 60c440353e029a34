"""Output of commands: text by default, one JSON object with `--json`; and the exit codes."""

import json
import sys
from collections.abc import Sequence
from enum import IntEnum
from typing import Any


class Exit(IntEnum):
    OK = 0
    FAILED = 1  # the command ran and the answer is no
    USAGE = 2  # the command line is wrong
    CONFLICT = 3  # what it would make exists already, or the data folder is in use
    NOT_FOUND = 4
    UNAVAILABLE = 5  # the database cannot be reached or started


class CommandError(Exception):
    """Ends a command with a message for people and a code for programs."""

    def __init__(self, message: str, exit_code: Exit = Exit.FAILED, code: str = "failed") -> None:
        super().__init__(message)
        self.exit_code = exit_code
        self.code = code


class Output:
    def __init__(self, *, as_json: bool) -> None:
        self.as_json = as_json

    def result(self, value: dict[str, Any], human: str) -> None:
        print(json.dumps(value, default=str) if self.as_json else human, flush=True)

    def note(self, text: str) -> None:
        """Something to know beside the result, for people."""
        print(f"goldloop: {text}", file=sys.stderr, flush=True)

    def error(self, error: CommandError) -> int:
        if self.as_json:
            print(json.dumps({"error": {"code": error.code, "message": str(error)}}), flush=True)
        else:
            print(f"goldloop: {error}", file=sys.stderr, flush=True)
        return int(error.exit_code)


def table(headers: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    cells = [[str(c) if c is not None else "-" for c in row] for row in [headers, *rows]]
    widths = [max(len(row[i]) for row in cells) for i in range(len(headers))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    )
