"""A cache of compiled schemas with their cost, keyed by canonical text: the order of keys does not matter. Pure."""

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any
from uuid import UUID

import msgspec
from jsonschema_rs import Draft202012Validator

from goldloop.entities.patterns import MAX_COMPILED, options
from goldloop.entities.schema_cost import Cost, SchemaTooCostly, measure_schema
from goldloop.kit.errors import Fault

CACHED = 512  # as many types as a busy process has in use
CACHED_BYTES = 64 * 1024 * 1024
SHARES = 4  # a workspace fills one of them, so that it does not push out what all others use
BYTES_PER_BYTE = 20  # what a compiled schema takes beside its text, measured


class Validator:
    """A schema by its canonical text, measured here unless that was done elsewhere. `cost` is None where it has no bound,
    as that of a schema from before there were bounds; `fault` then says why."""

    def __init__(self, text: bytes, cost: Cost | None = None) -> None:
        self.text = text
        self.cost = cost
        self.fault: Fault | None = None
        self.owner: UUID | None = None  # the workspace that asked first
        self._schema: Any = msgspec.json.decode(text)
        self._compiled: Draft202012Validator | None = None
        if cost is None:
            try:
                self.cost = measure_schema(self._schema)
            except SchemaTooCostly as error:
                self.fault = error.fault
        self.size = BYTES_PER_BYTE * len(text) + (self.cost.compiled if self.cost else MAX_COMPILED)

    def compiled(self) -> Draft202012Validator:
        """Raises a ValidationError where a pattern or a reference cannot be followed."""
        if self._compiled is None:
            self._compiled = Draft202012Validator(
                self._schema, validate_formats=True, pattern_options=options(), offline=True
            )
        return self._compiled


_CACHE: OrderedDict[bytes, Validator] = OrderedDict()


def canonical(schema: Mapping[str, Any]) -> bytes:
    return msgspec.json.encode(schema, order="sorted")


def validator_of(text: bytes) -> Validator:
    return find_cached(text) or cache(Validator(text))


def find_cached(text: bytes) -> Validator | None:
    found = _CACHE.get(text)
    if found is not None:
        _CACHE.move_to_end(text)
    return found


def cache(validator: Validator, owner: UUID | None = None) -> Validator:
    validator.owner = owner
    _CACHE[validator.text] = validator
    _CACHE.move_to_end(validator.text)
    _evict(
        [each for each in _CACHE.values() if each.owner == owner], CACHED // SHARES, CACHED_BYTES // SHARES
    )
    _evict(list(_CACHE.values()), CACHED, CACHED_BYTES)
    return validator


def _evict(validators: list[Validator], most: int, most_bytes: int) -> None:
    """Removes the oldest entries beyond the limits; the newest always stays."""
    count, size = len(validators), sum(each.size for each in validators)
    for oldest in validators[:-1]:
        if count <= most and size <= most_bytes:
            return
        del _CACHE[oldest.text]
        count, size = count - 1, size - oldest.size
