"""The single source of the two shapes that the values of a response have: those of a record, by dimension, and a
matrix, by connection and dimension. What differs between them is a column of this table, and nowhere else an `if`.

Pure.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.criteria.model import Dimension, Scope
from goldloop.kit.errors import Faults
from goldloop.responses.field_meta import check_field_meta
from goldloop.responses.matrix import (
    check_matrix,
    check_matrix_meta,
    clean_matrix,
    clean_matrix_meta,
    compute_matrix_score,
    named_connections,
)
from goldloop.responses.promotable import Proposed, filled_promotable, proposed_fields
from goldloop.responses.scoring import Score, compute_response_score
from goldloop.responses.values import check_values, clean_values

Values = Mapping[str, Any]


class Asked(NamedTuple):
    """What values are checked against. `fields` are those through which the connections that they name lead, `field_key`
    the one that is rated; without a meaning where the record itself is."""

    dimensions: Sequence[Dimension]
    fields: Mapping[UUID, str | None]
    field_key: str


class Shape(NamedTuple):
    """`connections` are those that values name; `proposed` what fields of the record would hold; `entries` what can be tried again, one by one; an empty response without
    notes is none where `may_be_empty` is not."""

    connections: Callable[[Values], list[UUID]]
    check: Callable[[Values, Values, Asked], Faults]
    clean: Callable[[Values], dict[str, Any]]
    clean_meta: Callable[[Values, Values], dict[str, Any]]
    score: Callable[[Values, Sequence[Dimension]], Score]
    promotable: Callable[[Values, Sequence[Dimension], Values], set[str]]
    proposed: Callable[[Values, Sequence[Dimension], Values], list[dict[str, Proposed]]]
    entries: Callable[[Values], Iterable[tuple[str, Any]]]
    may_be_empty: bool


def shape_of(scope: Scope | None) -> Shape:
    return MATRIX if scope is not None and scope.type == "relation" else RECORD


def _check_record(values: Values, field_meta: Values, asked: Asked) -> Faults:
    faults = check_values(values, asked.dimensions)
    faults += check_field_meta(field_meta, asked.dimensions)
    return faults


def _check_matrix(values: Values, field_meta: Values, asked: Asked) -> Faults:
    faults = check_matrix(values, asked.dimensions, asked.fields, asked.field_key)
    faults += check_matrix_meta(field_meta, values, asked.dimensions)
    return faults


def _cells(values: Values) -> list[tuple[str, Any]]:
    return [
        (f"{connection}.{key}", value) for connection, row in values.items() for key, value in row.items()
    ]


RECORD = Shape(
    connections=lambda values: [],
    check=_check_record,
    clean=clean_values,
    clean_meta=lambda field_meta, values: dict(field_meta),
    score=compute_response_score,
    promotable=filled_promotable,
    proposed=proposed_fields,
    entries=lambda values: values.items(),
    may_be_empty=True,
)
MATRIX = Shape(
    connections=named_connections,
    check=_check_matrix,
    clean=clean_matrix,
    clean_meta=clean_matrix_meta,
    score=compute_matrix_score,
    promotable=lambda values, dimensions, json_schema: set(),
    proposed=lambda values, dimensions, json_schema: [],
    entries=_cells,
    may_be_empty=False,
)
