"""Reads what an agent answered to a brief: values, where they come from, and notes. Pure."""

from collections.abc import Sequence
from typing import Any

import msgspec

from goldloop.criteria.dimension_types import is_empty
from goldloop.criteria.model import Dimension
from goldloop.kit.errors import Fault, Faults, unknown_keys
from goldloop.responses.model import Notes


class Output(msgspec.Struct, frozen=True, kw_only=True):
    values: dict[str, Any]
    field_meta: dict[str, Any] = {}
    notes: Notes | None = None

    @property
    def is_empty(self) -> bool:
        return all(map(is_empty, self.values.values()))


def read_output(output: Any, dimensions: Sequence[Dimension]) -> Output | Faults:
    """What is wrong with it where it cannot be read, or names what was not asked for. Whether the values are good ones is
    for the responses to say."""
    try:
        read = msgspec.convert(output, Output)
    except msgspec.ValidationError as error:
        message = f"The answer is an object with values and field_meta, by the keys of the fields: {error}"
        return Faults([Fault(path="", code="wrong_type", message=message)])
    asked = {dimension.key for dimension in dimensions}
    faults = Faults()
    for place, given in (("/values", read.values), ("/field_meta", read.field_meta)):
        faults += unknown_keys(given, asked, place, "not_asked_for", "This field was not asked for")
    return faults or read


def with_session(field_meta: dict[str, Any], values: dict[str, Any], session_id: str) -> dict[str, Any]:
    """Each value, and each field that was looked for in vain, with the session that says so."""
    found = [key for key, value in values.items() if not is_empty(value)]
    return {
        key: {
            **(meta if isinstance(meta := field_meta.get(key) or {}, dict) else {}),
            "session_id": session_id,
        }
        for key in [*found, *(key for key in field_meta if key not in found)]
    }
