"""Routes of the chain and of what was retracted: `/api/chain`, `/api/chain/retractions`, `/api/chain/items`."""

from typing import Annotated
from uuid import UUID

import msgspec
from litestar import Router, get, patch, post
from litestar.params import FromQuery, JSONBody, QueryParameter

from goldloop.chain import retraction_service, service
from goldloop.chain.model import (
    Chain,
    ChainDirection,
    ChainItem,
    ItemNotFound,
    ItemVerdict,
    NodeNotFound,
    PeopleRetract,
    Retraction,
    RetractionNotFound,
    RetractionUndone,
)
from goldloop.chain.permissions import CHAIN_READ, CHAIN_RETRACT
from goldloop.chain.refs import MAX_ASKED
from goldloop.chain.service import MAX_DEPTH, MAX_NODES, USUAL_DEPTH, USUAL_NODES
from goldloop.kit.http import Db, PathId, Wire, problems
from goldloop.kit.pagination import DEFAULT_LIMIT, Page
from goldloop.kit.parameters import Cursor, Limit
from goldloop.kit.text import full_match
from goldloop.tenants.auth.api import Who, needs

Reason = Annotated[str, msgspec.Meta(min_length=1, max_length=2000, pattern=full_match(r"[\s\S]*\S[\s\S]*"))]
AskedRef = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_ASKED)]
ItemNote = Annotated[str, msgspec.Meta(max_length=2000)]


class NewRetraction(Wire, frozen=True):
    """`ref` is a source, a record or a field of one, feedback, knowledge, an agent's version or a session."""

    ref: AskedRef
    reason: Reason


class ItemSettlement(Wire, frozen=True):
    """Null is: it waits again."""

    verdict: ItemVerdict | None
    note: ItemNote | None = None


@get(
    "/",
    opt=needs(CHAIN_READ),
    responses=problems(NodeNotFound),
    summary="What something rests on, or what rests on it",
)
async def show_chain(
    db: Db,
    actor: Who,
    start: Annotated[
        str,
        QueryParameter(
            name="from",
            min_length=1,
            max_length=MAX_ASKED,
            description="`field:<record>/<field>`, `response:<id>`, `source:<type>:<name>`, `session:<id>`, …",
        ),
    ],
    direction: FromQuery[ChainDirection] = ChainDirection.BACK,
    depth: Annotated[
        int, QueryParameter(ge=1, le=MAX_DEPTH, description="How many steps at most")
    ] = USUAL_DEPTH,
    nodes: Annotated[
        int, QueryParameter(ge=1, le=MAX_NODES, description="How many nodes at most")
    ] = USUAL_NODES,
) -> Chain:
    """`back` goes from a value to its response, its sources, session, prompt, lessons and feedback, and to people; `forward` to
    whatever rests on it. What the caller may not read is a node without words, and nothing behind it is shown."""
    async with db.tx(actor) as tx:
        return await service.read(tx, start, direction, depth, nodes)


@get("/retractions", opt=needs(CHAIN_READ), responses=problems(), summary="List retractions, newest first")
async def list_retractions(
    db: Db,
    actor: Who,
    in_force: FromQuery[bool | None] = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[Retraction]:
    async with db.tx(actor) as tx:
        return await retraction_service.list_retractions(tx, in_force, cursor, limit)


@post(
    "/retractions",
    opt=needs(CHAIN_RETRACT, CHAIN_READ),
    responses=problems(NodeNotFound, PeopleRetract, body=True),
    summary="Say that something is not to be relied on, and list what to look at again",
)
async def retract(data: JSONBody[NewRetraction], db: Db, actor: Who) -> Retraction:
    """Nothing that rests on it changes by itself. Said again while it is in force, it is the same retraction, with what came to
    rest on it since."""
    async with db.tx(actor) as tx:
        return await retraction_service.retract(tx, data.ref, data.reason)


@get(
    "/retractions/{retraction_id:uuid}",
    opt=needs(CHAIN_READ),
    responses=problems(RetractionNotFound),
    summary="Show a retraction",
)
async def show_retraction(retraction_id: PathId, db: Db, actor: Who) -> Retraction:
    async with db.tx(actor) as tx:
        return await retraction_service.access(tx, retraction_id)


@post(
    "/retractions/{retraction_id:uuid}/undo",
    status_code=200,
    opt=needs(CHAIN_RETRACT, CHAIN_READ),
    responses=problems(RetractionNotFound, PeopleRetract),
    summary="Take a retraction back",
)
async def undo_retraction(retraction_id: PathId, db: Db, actor: Who) -> Retraction:
    """What was not settled waits no more; what was stays settled."""
    async with db.tx(actor) as tx:
        return await retraction_service.undo(tx, retraction_id)


@get(
    "/items",
    opt=needs(CHAIN_READ),
    responses=problems(RetractionNotFound),
    summary="List what is to be looked at again, the longest waiting first",
)
async def list_chain_items(
    db: Db,
    actor: Who,
    retraction: FromQuery[UUID | None] = None,
    waits: FromQuery[bool | None] = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[ChainItem]:
    """Of one retraction, or of all."""
    async with db.tx(actor) as tx:
        return await retraction_service.list_items(tx, retraction, waits, cursor, limit)


@patch(
    "/items/{item_id:uuid}",
    opt=needs(CHAIN_RETRACT, CHAIN_READ),
    responses=problems(ItemNotFound, RetractionUndone, PeopleRetract, body=True),
    summary="Settle what was to be looked at again",
)
async def settle_chain_item(item_id: PathId, data: JSONBody[ItemSettlement], db: Db, actor: Who) -> ChainItem:
    async with db.tx(actor) as tx:
        return await retraction_service.settle(tx, item_id, data.verdict, data.note)


router = Router(
    "/api/chain",
    route_handlers=[
        show_chain,
        list_retractions,
        retract,
        show_retraction,
        undo_retraction,
        list_chain_items,
        settle_chain_item,
    ],
    tags=["chain"],
)
