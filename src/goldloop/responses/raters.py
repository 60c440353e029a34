"""How far those who rated the same records with a criteria set agree, per dimension.

A dimension is measured as it was when it was last answered, and one that was answered and is gone is measured still:
a change of the criteria set changes nothing about what was said before.
"""

from typing import Any
from uuid import UUID

import msgspec

from goldloop.criteria import service as criteria
from goldloop.criteria.model import Dimension
from goldloop.kit.db import Tx
from goldloop.responses.agreement import Level, Undefined, level_of_measurement, measure_agreement
from goldloop.tenants import roles


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


async def list_agreement(tx: Tx, set_id: UUID) -> list[DimensionAgreement]:
    tx.actor.check(roles.RESPONSES_READ)
    criteria_set = await criteria.access(tx, set_id)
    rows = await tx.fetch("SELECT dimension, units FROM list_rated_units($1)", set_id)
    rated = [(msgspec.convert(row["dimension"], Dimension), row["units"]) for row in rows]
    found = {dimension.key: _measure(dimension, units) for dimension, units in rated}
    asked = [d.key for d in criteria_set.dimensions]
    unrated = {d.key: _measure(d, []) for d in criteria_set.dimensions}
    return [found.get(key, unrated[key]) for key in asked] + [found[key] for key in found if key not in asked]


def _measure(dimension: Dimension, units: list[dict[str, Any]]) -> DimensionAgreement:
    found = measure_agreement(units, level_of_measurement(dimension))
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
