"""The single source of a response's score.

A dimension counts when it is a number or a rating with a weight and a scale, and has a value:

    weighted   = Σ w·v / Σ w                                on the scales as they are
    normalized = Σ w·clamp((v − min) / (max − min)) / Σ w   from 0 to 1

Both are rounded to twelve digits, so that 4 of 1 to 5 is 0.75 by whatever weight. They are None when nothing counts or all weights are zero: no score is not a score of 0.

Pure.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from goldloop.criteria.dimension_types import NUMERIC
from goldloop.criteria.model import Dimension
from goldloop.kit.numbers import Number, is_number, round_off


class Score(msgspec.Struct, frozen=True, kw_only=True):
    weighted: float | None = None
    normalized: float | None = None


NO_SCORE = Score()


class _Term(msgspec.Struct, frozen=True):
    weight: Number
    value: Number
    share: float  # where the value stands on its scale, from 0 to 1


def compute_response_score(values: Mapping[str, Any], dimensions: Sequence[Dimension]) -> Score:
    answered = [dimension for dimension in dimensions if dimension.key in values]
    terms = [term for dimension in answered if (term := _term(values[dimension.key], dimension))]
    total = sum(term.weight for term in terms)
    if not total > 0:
        return NO_SCORE
    return Score(
        weighted=round_off(sum(term.weight * term.value for term in terms) / total),
        normalized=_clamp(round_off(sum(term.weight * term.share for term in terms) / total)),
    )


def _term(value: object, dimension: Dimension) -> _Term | None:
    weight, scale = dimension.weight, dimension.scale
    if dimension.type not in NUMERIC or weight is None or scale is None or not is_number(value):
        return None
    low, high = scale
    if not low < high:
        return None
    return _Term(weight, value, _clamp((value - low) / (high - low)))


def _clamp(share: float) -> float:
    """Onto 0 to 1, also after rounding."""
    return min(1.0, max(0.0, share))
