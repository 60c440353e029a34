"""The single source of which criteria set gives the score that a type's records show. Pure."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import msgspec

from goldloop.kit.errors import Fault

_AT = "/config/featuredScore"


def featured_set(config: Mapping[str, Any]) -> UUID | None:
    """However the id is spelled, as in `featured_set.sql`: types from before it was checked may have any spelling."""
    score = config.get("featuredScore")
    chosen = score.get("criteriaSetId") if isinstance(score, dict) else None
    try:
        return None if chosen is None else UUID(str(chosen))
    except ValueError:
        return None


def check_featured(config: Mapping[str, Any]) -> list[Fault]:
    """Checks that it is an id; whether the criteria set exists is checked in `criteria`."""
    score = config.get("featuredScore", {})
    try:
        msgspec.convert(score.get("criteriaSetId"), UUID | None)
    except (AttributeError, msgspec.ValidationError):
        return [
            Fault(
                path=_AT,
                code="wrong_type",
                message="This is an object with criteriaSetId, the id of a criteria set",
            )
        ]
    return []


def normalize_featured(before: Mapping[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    """`wanted` with its id in canonical spelling. A featured score is changed, never cleared."""
    chosen = featured_set(wanted)
    if chosen is not None:
        return {**wanted, "featuredScore": {**wanted["featuredScore"], "criteriaSetId": str(chosen)}}
    return wanted if featured_set(before) is None else {**wanted, "featuredScore": before["featuredScore"]}
