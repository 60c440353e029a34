"""The route of importing records: `/api/entities/import`."""

from typing import Annotated

import msgspec
from litestar import Router, post
from litestar.params import JSONBody

from goldloop.entities.imports import service
from goldloop.entities.imports.model import RecordImport
from goldloop.entities.imports.service import NotImported
from goldloop.entities.model import AgentsPropose, EntityTypeNotFound
from goldloop.entities.permissions import ENTITIES_CREATE
from goldloop.entities.validation.service import ValidationBusy
from goldloop.kit.http import Db, Wire, problems
from goldloop.tenants.auth.api import Who, needs

MOST_CHARACTERS = 10_000_000  # of a file
MOST_BYTES = 4 * MOST_CHARACTERS  # of a body: they are four at most, and JSON writes some characters as two


class NewRecordImport(Wire, frozen=True):
    """`text` is the file: CSV with a head of `title` and names of fields, and `id` where records have one already."""

    type: Annotated[str, msgspec.Meta(min_length=1, max_length=63)]
    text: Annotated[str, msgspec.Meta(max_length=MOST_CHARACTERS)]
    dry_run: bool = True


@post(
    "/import",
    status_code=200,
    opt=needs(ENTITIES_CREATE),
    request_max_body_size=MOST_BYTES,
    responses=problems(EntityTypeNotFound, AgentsPropose, ValidationBusy, body=True),
    summary="Import records of a type from CSV, all of them or none, or see what would come of it",
)
async def import_entities(data: JSONBody[NewRecordImport], db: Db, actor: Who) -> RecordImport:
    """The same file again makes no record twice where it has ids. With an error in any row none is imported."""
    try:
        async with db.tx(actor) as tx:
            return await service.import_records(tx, data.type, data.text, dry_run=data.dry_run)
    except NotImported as found:
        return found.report


router = Router("/api/entities", route_handlers=[import_entities], tags=["records"])
