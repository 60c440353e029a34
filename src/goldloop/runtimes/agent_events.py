"""What an agent that runs elsewhere, or as a function, may tell of itself: which events, and what must be in them. Pure."""

import re
from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from goldloop.kit.errors import GoldloopError
from goldloop.kit.http import decode_body
from goldloop.kit.text import full_match, mend_json
from goldloop.runtimes.model import RunFailed
from goldloop.sessions.payloads import find_faults

LONGEST_NAME = 100
MOST_OUTPUT_BYTES = 1024 * 1024
_OURS = (
    "agent.called",
    "user.message",
)  # beside what changes in a workspace, which is told by who changes it
_NAME = re.compile(full_match(r"[a-z][a-z0-9_]*(?:[.\-][a-z0-9_]+)*"))


def find_fault(kind: str, payload: Mapping[str, Any], effects: Collection[str]) -> str | None:
    """Why this is no event of an agent. `effects` are the events of what is changed here."""
    if len(kind) > LONGEST_NAME or not _NAME.match(kind):
        return f"{kind[:LONGEST_NAME]!r} is no name of an event"
    if kind in _OURS or kind in effects:
        return f"The event {kind} is the server's own"
    faults = find_faults(kind, payload, "")
    return "; ".join(f"{fault.path}: {fault.message}" for fault in faults) or None


def find_output_fault(output: Any, schema: Mapping[str, Any] | None) -> str | None:
    """Why this is no answer, whatever it is for."""
    if len(msgspec.json.encode(output)) > MOST_OUTPUT_BYTES:
        return f"The output is longer than {MOST_OUTPUT_BYTES:,} bytes"
    if schema is not None and not isinstance(output, dict):
        return "The output is not an object of the schema that was sent"
    return None


def read_value(value: Any) -> Any:
    """What a function returns or tells, as JSON that can be stored. Raises ValueError for what has no form in it."""
    try:
        return decode_body(mend_json(msgspec.json.encode(value)), Any)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"it is not JSON: {error}") from error
    except GoldloopError as error:
        raise ValueError(error.detail) from error


def read_object(raw: bytes, what: str) -> dict[str, Any]:
    """JSON of an agent; what cannot be stored in its texts is replaced. Raises RunFailed for what is no JSON object."""
    try:
        value = decode_body(mend_json(raw), Any)
    except GoldloopError as error:
        raise RunFailed("agent_answer_unreadable", f"{what} cannot be read: {error.detail}") from error
    if not isinstance(value, dict):
        raise RunFailed("agent_answer_unreadable", f"{what} is not a JSON object")
    return value
