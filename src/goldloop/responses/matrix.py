"""The single source of what a matrix of values, `{connection id: {dimension key: value}}`, may hold, and of its score.

A part of the connections is enough, and an empty matrix is no response. Within a connection that anything is said
about, what the criteria set requires is needed.

Pure.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from goldloop.criteria.model import Dimension
from goldloop.kit.errors import Fault, Faults
from goldloop.kit.json_pointer import pointer
from goldloop.kit.numbers import round_off
from goldloop.responses.aggregation import mean
from goldloop.responses.field_meta import check_known_meta
from goldloop.responses.scoring import NO_SCORE, Score, compute_response_score
from goldloop.responses.values import Asked, check_known_values, clean_values, unknown_values


def named_connections(matrix: Mapping[str, Any]) -> list[UUID]:
    """The ids among the keys; what is no id is told by `check_matrix`."""
    return [found for key in matrix if (found := _as_id(key)) is not None]


def check_matrix(
    matrix: Mapping[str, Any],
    dimensions: Sequence[Dimension],
    fields: Mapping[UUID, str | None],
    field_key: str,
) -> Faults:
    """What is wrong with a matrix, as far as a problem tells it. `fields` are the fields through which the named records are
    connected: `field_key` where that is one of them."""
    faults, asked = Faults(), Asked.of(dimensions)
    seen: set[UUID] = set()
    for key, row in matrix.items():
        if faults.is_full:
            break
        at = pointer("values", key)
        connected = _as_id(key)
        if connected in seen:
            faults.append(_fault(at, "duplicate_connection", "This connection is there twice"))
            continue
        if connected is not None:
            seen.add(connected)
        if connected is None or connected not in fields:
            faults.append(_fault(at, "unknown_connection", "The record is not connected to such a record"))
        elif fields[connected] != field_key:
            faults.append(
                _fault(
                    at,
                    "other_field",
                    f"It is connected through {fields[connected]!r}, not through {field_key!r}",
                )
            )
        elif not isinstance(row, dict):
            faults.append(_fault(at, "wrong_type", "Values of a connection are an object by dimension"))
        elif clean_values(row):
            faults += check_known_values(row, asked, at=at)
        else:
            faults += unknown_values(row, asked, at=at)
    return faults


def check_matrix_meta(
    field_meta: Mapping[str, Any], matrix: Mapping[str, Any], dimensions: Sequence[Dimension]
) -> Faults:
    """Metadata of a matrix has its shape: `{connection id: {dimension key: metadata}}`."""
    faults, known = Faults(), {dimension.key for dimension in dimensions}
    rated = {_spelt(key) for key in matrix}
    for key, row in field_meta.items():
        if faults.is_full:
            break
        at = pointer("field_meta", key)
        if _spelt(key) not in rated:
            faults.append(_fault(at, "unknown_connection", "There are no values for this connection"))
        elif not isinstance(row, dict):
            faults.append(_fault(at, "wrong_type", "Metadata of a connection is an object by dimension"))
        else:
            faults += check_known_meta(row, known, at=at)
    return faults


def clean_matrix(matrix: Mapping[str, Any]) -> dict[str, Any]:
    """Without empty values, and without connections that nothing is said about. One spelling of each id. What is no row
    of values stays: `check_matrix` refuses it."""
    cleaned = {
        _spelt(key): clean_values(row) if isinstance(row, dict) else row for key, row in matrix.items()
    }
    return {key: row for key, row in cleaned.items() if row != {}}


def clean_matrix_meta(
    field_meta: Mapping[str, Any], cleaned: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """Under the same ids, and without connections that nothing is said about."""
    spelt = {_spelt(key): row for key, row in field_meta.items()}
    return {key: row for key, row in spelt.items() if key in cleaned}


def compute_matrix_score(matrix: Mapping[str, Mapping[str, Any]], dimensions: Sequence[Dimension]) -> Score:
    """The mean over the connections that have a score."""
    scores = [compute_response_score(row, dimensions) for row in matrix.values()]
    weighted = [score.weighted for score in scores if score.weighted is not None]
    normalized = [score.normalized for score in scores if score.normalized is not None]
    if not weighted or not normalized:
        return NO_SCORE
    return Score(weighted=round_off(mean(weighted)), normalized=round_off(mean(normalized)))


def _spelt(key: str) -> str:
    """An id has many spellings, and one of them is stored."""
    return str(_as_id(key) or key)


def _as_id(key: str) -> UUID | None:
    try:
        return UUID(key) if len(key) == 36 else None
    except ValueError:
        return None


def _fault(path: str, code: str, message: str) -> Fault:
    return Fault(path=path, code=code, message=message)
