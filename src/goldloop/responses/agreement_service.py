"""Use case: inter-rater agreement on a criteria set, per dimension. The statistic is in `agreement.py`.

A dimension is measured as it was when it was last answered, and one that was answered and is gone is measured still:
a change of the criteria set changes nothing about what was said before.
"""

from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.criteria import service as criteria
from goldloop.criteria.dimension_types import TYPES, Level
from goldloop.criteria.model import Dimension
from goldloop.kit.db import Tx
from goldloop.responses import store
from goldloop.responses.agreement import Undefined, measure_agreement
from goldloop.responses.permissions import RESPONSES_READ

MOST_RESPONSES = 20_000  # that are compared, the newest
MOST_VALUES = 200_000  # that they hold
MOST_BYTES = 16 * 1024 * 1024  # of these


class DimensionAgreement(msgspec.Struct, frozen=True, kw_only=True):
    """Krippendorff's alpha; where there is none, `reason` says why. `units`, `raters`, `values`: what it rests on."""

    key: str
    label: str
    alpha: float | None
    reason: Undefined | None
    level: Level | None
    units: int
    raters: int
    values: int


class AgreementList(msgspec.Struct, frozen=True, kw_only=True):
    """`responses_omitted` is how many older responses were too many to be compared."""

    data: list[DimensionAgreement]
    responses_omitted: int


class RatedUnits(NamedTuple):
    """A dimension, and what was rated by it, as JSON."""

    dimension: str
    units: str


class ReadAgreement(NamedTuple):
    asked: list[Dimension]
    rated: list[RatedUnits]
    omitted: int


async def read_agreement(tx: Tx, set_id: UUID) -> ReadAgreement:
    tx.actor.check(RESPONSES_READ)
    criteria_set = await criteria.access(tx, set_id)
    rows = await store.list_rated_units(tx, set_id, MOST_RESPONSES, MOST_VALUES, MOST_BYTES)
    rated = [RatedUnits(row["dimension"], row["units"]) for row in rows]
    return ReadAgreement(criteria_set.dimensions, rated, rows[0]["omitted"] if rows else 0)


def measure(read: ReadAgreement) -> AgreementList:
    """It may take a second: for the threads of `kit/compute_threads`."""
    rated = [(msgspec.json.decode(row.dimension, type=Dimension), row.units) for row in read.rated]
    found = {dimension.key: _measure(dimension, msgspec.json.decode(units)) for dimension, units in rated}
    asked = {dimension.key: dimension for dimension in read.asked}
    of_asked = [found.get(key) or _measure(dimension, []) for key, dimension in asked.items()]
    return AgreementList(
        data=[*of_asked, *(each for key, each in found.items() if key not in asked)],
        responses_omitted=read.omitted,
    )


def _measure(dimension: Dimension, units: list[dict[str, Any]]) -> DimensionAgreement:
    found = measure_agreement(units, TYPES[dimension.type].level)
    return DimensionAgreement(
        key=dimension.key,
        label=dimension.label,
        alpha=found.alpha,
        reason=found.reason,
        level=found.level,
        units=found.units,
        raters=found.raters,
        values=found.values,
    )
