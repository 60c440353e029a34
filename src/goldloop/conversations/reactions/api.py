"""Routes of reactions: a turn's `feedback` and `feedback-token`, and settling what the gate left open: `/api/reactions`."""

from typing import Annotated, Any

import msgspec
from litestar import Request, Response, Router, get, post, route
from litestar.connection import ASGIConnection
from litestar.enums import HttpMethod
from litestar.params import JSONBody

from goldloop.conversations.model import (
    Comment,
    EndUserId,
    InvalidReaction,
    Moment,
    Reaction,
    ReactionNotFound,
    ReactionNotSettled,
    ReactionRow,
    ReactionSettled,
    TextId,
    TooManyReactions,
    TurnNotFound,
)
from goldloop.conversations.parameters import Named, PathText
from goldloop.conversations.permissions import (
    CONVERSATIONS_CREATE,
    CONVERSATIONS_READ,
    REACTIONS_CREATE,
    REACTIONS_SETTLE,
)
from goldloop.conversations.reactions import service
from goldloop.conversations.reactions.model import (
    ReactionResult,
    ReactionToken,
    Reactor,
    TurnPlace,
    UnsettledReaction,
)
from goldloop.conversations.reactions.tokens import DEFAULT_SECONDS, LONGEST_SECONDS, REACTION_TOKEN, Grant
from goldloop.kit.clock import now
from goldloop.kit.db import Actor, ActorKind
from goldloop.kit.errors import InvalidInput
from goldloop.kit.http import Db, PathId, Wire, problems
from goldloop.kit.pagination import DEFAULT_LIMIT, Page
from goldloop.kit.parameters import Cursor, Limit
from goldloop.kit.permissions import Permissions
from goldloop.tenants.auth.api import PUBLIC, Auth, Who, in_path, needs

FEEDBACK = "/{tenant:str}/{project:str}/{conversation_id:str}/turns/{turn_id:str}/feedback"
MOST_BY_TOKEN = 100  # changes of mind about one turn, each of which is kept
ONLY_REACT = Permissions(grants=frozenset({REACTIONS_CREATE}))

Seconds = Annotated[int, msgspec.Meta(ge=10, le=LONGEST_SECONDS)]
ResourceName = Annotated[str, msgspec.Meta(min_length=1, max_length=1000)]


class NewReaction(Wire, frozen=True):
    """`user_id` only with a key: whose reaction it is, unless it is that of the conversation's user. `ts` not with a
    token: what comes from a browser is said now."""

    reaction: Reaction | None
    text: Comment | None = None
    ts: Moment | None = None
    user_id: EndUserId | None = None


class NewReactionToken(Wire, frozen=True):
    user_id: EndUserId | None = None
    expires_in: Seconds = DEFAULT_SECONDS


class UnsettledCount(msgspec.Struct, frozen=True, kw_only=True):
    """`count` stops at 1000: that many or more."""

    count: int


class Settlement(Wire, frozen=True):
    """`turn_id` null: no turn was meant. `conversation_id` where the turn is in another than the message's."""

    turn_id: TextId | None
    conversation_id: TextId | None = None


class SettlementUndo(Wire, frozen=True):
    """`rn` is the name that the reaction got when it was settled (`payload.meta.rn` of the answer): what was settled
    otherwise since is left as it is."""

    rn: ResourceName


def by_token(connection: ASGIConnection[Any, Any, Any, Any], secret: bytes, token: str) -> Actor | None:
    """Whoever holds a token for this turn may react to it, in the name of who issued it, and nothing else."""
    if not token.startswith(REACTION_TOKEN.prefix):
        return None
    path = connection.path_params
    place = TurnPlace(path["project"], path["conversation_id"], path["turn_id"])
    grant = service.check_grant(REACTION_TOKEN.read(token, secret, now()), path["tenant"], place)
    connection.scope["state"]["grant"] = grant
    return Actor(
        tenant_id=grant.tenant_id,
        kind=ActorKind(grant.issuer_kind),
        id=grant.issuer_id,
        name="feedback token",
        permissions=ONLY_REACT,
    )


@post(
    FEEDBACK,
    status_code=200,
    opt=in_path(
        REACTIONS_CREATE, by_token=by_token, any_origin=True, refusals={"/reaction": InvalidReaction}
    ),
    responses=problems(TurnNotFound, InvalidReaction, TooManyReactions, body=True),
    summary="React to a turn, or clear the reaction",
)
async def give_feedback(
    tenant: PathText,
    project: PathText,
    conversation_id: PathText,
    turn_id: PathText,
    data: JSONBody[NewReaction],
    db: Db,
    actor: Who,
    request: Request[Any, Any, Any],
) -> ReactionResult:
    """`null` clears. A browser without a key sends a feedback token in its place, from any origin."""
    grant = request.scope["state"].get("grant")
    if grant and data.ts is not None:
        raise InvalidInput.at("/ts", "not_yours", "With a feedback token a reaction is said now")
    who = _reactor(actor, grant, data.user_id)
    place = TurnPlace(project, conversation_id, turn_id)
    async with db.tx(actor) as tx:
        return await service.react(tx, place, who, data.reaction, data.text, data.ts)


@post(
    f"{FEEDBACK}-token",
    opt=in_path(CONVERSATIONS_CREATE),
    responses=problems(TurnNotFound, body=True),
    summary="A short-lived token with which a browser may react to a turn",
)
async def make_feedback_token(
    tenant: PathText,
    project: PathText,
    conversation_id: PathText,
    turn_id: PathText,
    data: JSONBody[NewReactionToken],
    db: Db,
    actor: Who,
    auth: Auth,
) -> ReactionToken:
    place = TurnPlace(project, conversation_id, turn_id)
    async with db.tx(actor) as tx:
        return await service.issue_token(tx, tenant, place, data.user_id, data.expires_in, auth.secret)


@route(FEEDBACK, http_method=[HttpMethod.OPTIONS], opt=PUBLIC | {"any_origin": True}, include_in_schema=False)
async def allow_feedback_from_pages(
    tenant: PathText, project: PathText, conversation_id: PathText, turn_id: PathText
) -> Response[None]:
    """What a browser asks before a page of another site reacts. No cookies: only what carries a token gets through."""
    return Response(
        None,
        status_code=204,
        headers={
            "Access-Control-Allow-Methods": "POST",
            "Access-Control-Allow-Headers": "authorization, content-type",
            "Access-Control-Max-Age": "600",
        },
    )


@get(
    "/unsettled/count",
    opt=needs(CONVERSATIONS_READ),
    responses=problems(),
    summary="How many machine reactions wait for a person",
)
async def count_unsettled_reactions(db: Db, actor: Who, project: Named = None) -> UnsettledCount:
    async with db.tx(actor) as tx:
        return UnsettledCount(count=await service.count_unsettled(tx, project))


@get(
    "/unsettled",
    opt=needs(CONVERSATIONS_READ),
    responses=problems(),
    summary="Machine reactions that could mean several turns, newest first",
)
async def list_unsettled_reactions(
    db: Db, actor: Who, project: Named = None, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None
) -> Page[UnsettledReaction]:
    async with db.tx(actor) as tx:
        return await service.list_unsettled(tx, project, cursor, limit)


@post(
    "/{reaction_id:uuid}/settle",
    status_code=200,
    opt=needs(REACTIONS_SETTLE),
    responses=problems(ReactionNotFound, TurnNotFound, ReactionSettled, body=True),
    summary="Say which turn a machine reaction means, or that it means none",
)
async def settle_reaction(reaction_id: PathId, data: JSONBody[Settlement], db: Db, actor: Who) -> ReactionRow:
    async with db.tx(actor) as tx:
        return await service.settle(tx, reaction_id, data.conversation_id, data.turn_id)


@post(
    "/{reaction_id:uuid}/settle/undo",
    status_code=200,
    opt=needs(REACTIONS_SETTLE),
    responses=problems(ReactionNotFound, ReactionNotSettled, ReactionSettled, body=True),
    summary="Take back what was said about which turn a machine reaction means",
)
async def undo_settling(
    reaction_id: PathId, data: JSONBody[SettlementUndo], db: Db, actor: Who
) -> ReactionRow:
    """It waits for a person again, as it did before."""
    async with db.tx(actor) as tx:
        return await service.unsettle(tx, reaction_id, data.rn)


def _reactor(actor: Actor, grant: Grant | None, user_id: str | None) -> Reactor:
    """A key and its tokens speak for end users alone, whatever ids they send; a signed-in person for themselves."""
    if actor.key_id is not None:
        return Reactor(user_id)
    own = grant.end_user if grant else str(actor.id)
    if user_id is not None and user_id != own:
        raise InvalidInput.at("/user_id", "not_yours", "Only a program with a key reacts for somebody else")
    return Reactor(own, most=MOST_BY_TOKEN) if grant else Reactor(own, is_member=True)


router = Router(
    "/conversations",
    # What answers OPTIONS comes first, or the framework makes a handler of its own for it.
    route_handlers=[allow_feedback_from_pages, give_feedback, make_feedback_token],
    tags=["conversations"],
)
settling_router = Router(
    "/api/reactions",
    route_handlers=[
        list_unsettled_reactions,
        count_unsettled_reactions,
        settle_reaction,
        undo_settling,
    ],
    tags=["conversations"],
)
