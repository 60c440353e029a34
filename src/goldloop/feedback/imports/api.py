"""Routes of importing: `/api/feedback/import`. Large files are imported by the command line."""

from typing import Annotated

import msgspec
from litestar import Router, get, post
from litestar.params import JSONBody

from goldloop.feedback.imports.kind_service import KINDS, access_kind
from goldloop.feedback.imports.readers import BadFile, read_rows
from goldloop.feedback.imports.service import Import, ImportReport
from goldloop.feedback.permissions import FEEDBACK_REVIEW
from goldloop.feedback.ratings import BadRule, parse_rule
from goldloop.kit.errors import InvalidInput
from goldloop.kit.http import Db, Wire, problems
from goldloop.tenants.auth.api import Who, needs

MOST_CHARACTERS = 10_000_000  # of a file by this route
MOST_BYTES = 4 * MOST_CHARACTERS  # of a body: they are four at most, and JSON writes some characters as two

RuleText = Annotated[str, msgspec.Meta(min_length=3, max_length=1000)]


class NewImport(Wire, frozen=True):
    """`text` is the file: JSON lines, a JSON array or CSV. `rules` say what scores of a name are (`helpful=1..5`,
    `quality=good:positive,bad:negative`); `neutral_rest` takes what no rule covers as neutral."""

    kind: Annotated[str, msgspec.Meta(min_length=1, max_length=63)]
    text: Annotated[str, msgspec.Meta(max_length=MOST_CHARACTERS)]
    dry_run: bool = True
    rules: Annotated[list[RuleText], msgspec.Meta(max_length=200)] = msgspec.field(default_factory=list)
    neutral_rest: bool = False


class ImportKinds(msgspec.Struct, frozen=True, kw_only=True):
    data: list[str]


@get("/", opt=needs(FEEDBACK_REVIEW), responses=problems(), summary="What can be imported")
async def list_imports(actor: Who) -> ImportKinds:
    return ImportKinds(data=sorted(KINDS))


@post(
    "/",
    status_code=200,
    opt=needs(FEEDBACK_REVIEW),
    request_max_body_size=MOST_BYTES,
    responses=problems(body=True),
    summary="Import a file, or see what would come of it",
)
async def import_file(data: JSONBody[NewImport], db: Db, actor: Who) -> ImportReport:
    """The same file again changes nothing."""
    kind = access_kind(data.kind)
    try:
        rules = dict(map(parse_rule, data.rules))
    except BadRule as error:
        raise InvalidInput.at("/rules", "bad_rule", str(error)) from error
    importing = Import(kind, rules, neutral_rest=data.neutral_rest, dry_run=data.dry_run)
    try:
        for batch in importing.batches(read_rows([data.text.encode(errors="replace")])):
            async with db.tx(actor) as tx:
                await importing.take(tx, batch)
    except BadFile as error:
        raise InvalidInput.at("/text", "bad_file", str(error)) from error
    return importing.report()


router = Router("/api/feedback/import", route_handlers=[list_imports, import_file], tags=["feedback"])
