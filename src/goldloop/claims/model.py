"""Types of claims: the settings of a workspace, aggregates and sources."""

from typing import Annotated, Any
from uuid import UUID

import msgspec

from goldloop.kit.errors import Fault
from goldloop.kit.text import slug_pattern
from goldloop.tenants.settings.model import Section

SOURCE_COUNT = "source_count"
QUALITY_AVG = "source_quality_avg"

Slug = Annotated[str, msgspec.Meta(pattern=slug_pattern(120))]
FieldKey = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class ClaimSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Records of `source_type` support claims through `relation_field`, and are rated with `criteria_set`."""

    source_type: Slug = "source-item"
    criteria_set: Slug = "evidence-quality"
    relation_field: FieldKey = "supports"


SETTINGS = Section("claims", ClaimSettings)


class Aggregate(msgspec.Struct, frozen=True, kw_only=True):
    """`source_quality_avg` is None while no source is rated."""

    source_count: int
    source_quality_avg: float | None


class ClaimSource(msgspec.Struct, frozen=True, kw_only=True):
    """A record that supports a claim, with the rating of it that counts: its newest with promoted values."""

    id: UUID
    type: str
    title: str
    quality: float | None
    response_id: UUID | None
    ratings: dict[str, Any]


class ClaimSources(msgspec.Struct, frozen=True, kw_only=True):
    """A page of sources. `refused` is what the schema of the claim's type says against the numbers of all of them:
    while it does, the claim is not counted."""

    data: list[ClaimSource]
    next_cursor: str | None
    refused: Fault | None


class SupportedClaim(msgspec.Struct, frozen=True, kw_only=True):
    """A claim that a record supports, with the numbers that the claim carries: None until it is counted."""

    id: UUID
    type: str
    title: str
    source_count: int | None
    source_quality_avg: float | None


class RefusedBySchema(Exception):
    """The schema of the claim's type does not allow the numbers. Shown with the mark until it does."""
