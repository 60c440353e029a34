"""What an id of a client may be, beyond what a pattern says. Pure."""

from collections.abc import Iterable

from goldloop.conversations.model import ID_BYTES
from goldloop.kit.errors import Fault, InvalidInput


def check_ids(named: Iterable[tuple[str, str | None]]) -> None:
    """`named` pairs a JSON pointer with the id at it."""
    if faults := [_fault(path, value) for path, value in named if value is not None and not is_id(value)]:
        raise InvalidInput(errors=faults)


def is_id(value: str) -> bool:
    return value not in (".", "..") and len(value.encode()) <= ID_BYTES


def _fault(path: str, value: str) -> Fault:
    if value in (".", ".."):
        return Fault(path=path, code="invalid_id", message=f"`{value}` cannot be part of an address")
    return Fault(path=path, code="too_long", message=f"An id has at most {ID_BYTES} bytes")
