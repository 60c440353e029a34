"""Types and errors of views and their blocks."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import msgspec

from goldloop.kit.errors import Conflict, NotFound
from goldloop.tenants.model import Party

ShortText = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class ViewNotFound(NotFound):
    code, title = "view_not_found", "There is no such view in this workspace"


class ViewExists(Conflict):
    code, title = "view_exists", "A view with this id or slug exists with other content"


class _Block(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    title: ShortText | None = None


class FieldsBlock(_Block, frozen=True, kw_only=True, tag="fields"):
    """Fields of the record with their provenance; all of them when none is named."""

    fields: Annotated[list[ShortText], msgspec.Meta(max_length=200)] | None = None


class ResponseFormBlock(_Block, frozen=True, kw_only=True, tag="response-form"):
    """A criteria set's name, how many responses there are and the latest score; in edit mode its form."""

    criteria_set_slug: ShortText | None = None


class ResponsesBlock(_Block, frozen=True, kw_only=True, tag="responses"):
    criteria_set_slug: ShortText | None = None


class ProgressionBlock(_Block, frozen=True, kw_only=True, tag="score-progression"):
    criteria_set_slug: ShortText | None = None


class RelationsBlock(_Block, frozen=True, kw_only=True, tag="relations"):
    field_key: ShortText | None = None


class TextBlock(_Block, frozen=True, kw_only=True, tag="text"):
    text: Annotated[str, msgspec.Meta(max_length=10_000)]


Block = FieldsBlock | ResponseFormBlock | ResponsesBlock | ProgressionBlock | RelationsBlock | TextBlock


class View(msgspec.Struct, frozen=True, kw_only=True):
    id: UUID
    slug: str
    name: str
    entity_type: str | None
    blocks: list[Block]
    version: int
    created_at: datetime
    updated_at: datetime
    created_by: Party


def blocks_from_json(blocks: Any) -> list[Block]:
    return msgspec.convert(blocks, list[Block])
