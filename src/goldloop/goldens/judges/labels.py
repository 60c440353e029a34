"""The single source of what a label of a person may say, and of what a sample is asked for. Pure.

A label is a response to the rubric: its values are held to the ratings as those of any response are to their dimensions, and
scored alike. A rating passes from `mostly` on, and the replay where each does, for people as for judges.
"""

from collections.abc import Mapping
from typing import Any

from goldloop.criteria.dimension_types import RATED
from goldloop.criteria.model import Dimension
from goldloop.goldens.rubrics import PASSING, Rubric, RubricRating
from goldloop.kit.errors import Fault
from goldloop.responses.scoring import compute_response_score
from goldloop.responses.values import check_values

(RATING,) = RATED  # the one type of dimension that judges are asked about
CONTRADICTS = "label_contradicts"


def dimensions_of(rubric: Rubric) -> list[Dimension]:
    return [
        Dimension(
            key=rating.key,
            label=rating.label,
            type=RATING,
            scale=rating.scale,
            weight=rating.weight,
        )
        for rating in rubric.ratings
    ]


def find_faults(passed: bool | None, values: Mapping[str, Any], rubric: Rubric) -> list[Fault]:
    faults = check_values(values, dimensions_of(rubric))
    if faults or passed is None:
        return list(faults)
    met = {
        rating.key: is_met(values[rating.key], rating) for rating in rubric.ratings if rating.key in values
    }
    if passed and not all(met.values()):
        lacking = ", ".join(key for key, is_one in met.items() if not is_one)
        return [
            Fault(
                path="/passed",
                code=CONTRADICTS,
                message=f"It passes where each rating does, and not {lacking}",
            )
        ]
    if not passed and len(met) == len(rubric.ratings) and all(met.values()):
        return [
            Fault(path="/passed", code=CONTRADICTS, message="It fails where a rating does, and none does")
        ]
    return []


def is_met(value: float, rating: RubricRating) -> bool:
    low, high = rating.scale
    return low < high and (value - low) / (high - low) >= PASSING


def score_label(values: Mapping[str, Any], rubric: Rubric) -> float | None:
    return compute_response_score(values, dimensions_of(rubric)).normalized
