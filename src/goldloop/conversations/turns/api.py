"""Routes that take turns in: `/conversations/{tenant}/{project}/{conversation_id}/turns`."""

from typing import Annotated, Literal

import msgspec
from litestar import Response, Router, post
from litestar.params import FromQuery, JSONBody

from goldloop.conversations.model import MOST_TURNS, TurnExists
from goldloop.conversations.parameters import PathText
from goldloop.conversations.permissions import CONVERSATIONS_CREATE
from goldloop.conversations.turns import service
from goldloop.conversations.turns.content import NewTurn
from goldloop.conversations.turns.service import Intake
from goldloop.kit.http import Db, problems
from goldloop.limits import service as limits
from goldloop.limits.model import StorageFull
from goldloop.tenants.auth.api import Who, in_path

NewTurns = Annotated[list[NewTurn], msgspec.Meta(min_length=1, max_length=MOST_TURNS)]


@post(
    "/{tenant:str}/{project:str}/{conversation_id:str}/turns",
    opt=in_path(CONVERSATIONS_CREATE),
    responses=problems(TurnExists, StorageFull, body=True),
    summary="Add a turn to a conversation, or a list of them",
)
async def add_turns(
    tenant: PathText,
    project: PathText,
    conversation_id: PathText,
    data: JSONBody[NewTurn | NewTurns],
    db: Db,
    actor: Who,
    gate: FromQuery[Literal["true", "false"] | None] = None,
) -> Response[Intake]:
    """The conversation is made with its first turn. `gate` says whether users' messages are read for reactions; unless
    told, that of a single turn is and those of a list are not. 201 where something was added, 200 where all was there."""
    turns = data if isinstance(data, list) else [data]
    wanted = gate == "true" if gate is not None else not isinstance(data, list)
    async with db.tx(actor) as tx:
        await limits.check_room(tx)
        made = await service.add(tx, project, conversation_id, turns, gate=wanted, alone=True)
    return Response(made, status_code=201 if made.added else 200)


router = Router("/conversations", route_handlers=[add_turns], tags=["conversations"])
