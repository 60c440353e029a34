"""What agents may call to learn which kinds of records there are: `listEntityTypes`."""

from typing import Any

import msgspec

from goldloop.entities.permissions import ENTITY_TYPES_READ
from goldloop.entities.types import service
from goldloop.kit.db import Tx
from goldloop.kit.tools import plain, tool

MOST_TYPES = 100  # of an answer; a workspace has a handful


class ListEntityTypes(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """No arguments."""


class TypeRead(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    slug: str
    name: str
    json_schema: dict[str, Any]


class TypesFound(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    types: list[TypeRead]


@tool(
    "listEntityTypes",
    group="entities-read",
    permission=ENTITY_TYPES_READ,
    arguments=ListEntityTypes,
    result=TypesFound,
    writes=False,
)
async def list_entity_types(tx: Tx, call: ListEntityTypes) -> dict[str, Any]:
    """List the kinds of records that this workspace has, each with the JSON Schema of its content."""
    found = await service.list_types(tx, None, MOST_TYPES)
    types = [TypeRead(slug=kind.slug, name=kind.name, json_schema=kind.json_schema) for kind in found.data]
    return plain(TypesFound(types=types))
