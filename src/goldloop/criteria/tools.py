"""What agents may call to learn what is asked for: `getCriteriaSet`."""

from typing import Annotated, Any
from uuid import UUID

import msgspec

from goldloop.criteria import service
from goldloop.criteria.defaults import default_criteria_set_slug
from goldloop.criteria.errors import CriteriaSetNotFound
from goldloop.criteria.model import MAX_SLUG, Dimension
from goldloop.criteria.permissions import CRITERIA_SETS_READ
from goldloop.kit.db import Tx
from goldloop.kit.errors import InvalidInput
from goldloop.kit.tools import plain, tool


class GetCriteriaSet(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    criteria_set_id: UUID | None = None
    criteria_set_slug: Annotated[str, msgspec.Meta(max_length=MAX_SLUG)] | None = None
    entity_type: Annotated[str, msgspec.Meta(max_length=63)] | None = None


class CriteriaSetRead(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    id: UUID
    slug: str
    name: str
    kind: str
    description: str | None
    dimensions: list[Dimension]


@tool(
    "getCriteriaSet",
    group="entities-read",
    permission=CRITERIA_SETS_READ,
    arguments=GetCriteriaSet,
    result=CriteriaSetRead,
    writes=False,
)
async def get_criteria_set(tx: Tx, call: GetCriteriaSet) -> dict[str, Any]:
    """Read a criteria set: which values it asks for, of which type and on which scale. Name it by criteriaSetId, by
    criteriaSetSlug, or name an entityType for the default set of that type."""
    if call.criteria_set_id is not None:
        found = await service.access(tx, call.criteria_set_id)
    else:
        slug = call.criteria_set_slug or (call.entity_type and default_criteria_set_slug(call.entity_type))
        if not slug:
            raise InvalidInput.at("/criteriaSetId", "required", "Name a criteria set or an entity type")
        page = await service.list_sets(tx, service.SetFilter(slug=slug), None, 1)
        if not page.data:
            raise CriteriaSetNotFound
        found = page.data[0]
    return plain(
        CriteriaSetRead(
            id=found.id,
            slug=found.slug,
            name=found.name,
            kind=found.kind,
            description=found.description,
            dimensions=found.dimensions,
        )
    )
