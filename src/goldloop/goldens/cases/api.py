"""Routes of goldens and their sets: `/api/admin/evals/golden`, `/api/admin/evals/sets`, `/api/admin/evals/facts`."""

from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

import msgspec
from litestar import Response, Router, delete, get, patch, post, put
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody, QueryParameter

from goldloop.criteria.errors import CriteriaSetNotFound
from goldloop.criteria.permissions import CRITERIA_SETS_READ
from goldloop.evals.facts import propose_facts
from goldloop.evals.model import Effects
from goldloop.goldens.cases import service
from goldloop.goldens.cases.model import GoldenDetail, ProposedFacts
from goldloop.goldens.cases.snapshot import WHOLE
from goldloop.goldens.cases.snapshot_service import READS
from goldloop.goldens.model import (
    DEFAULT_SET,
    FACT_CHARACTERS,
    MOST_FACTS,
    NOTE_CHARACTERS,
    EventsLost,
    Golden,
    GoldenExists,
    GoldenNotFound,
    GoldenSet,
    GoldenSetExists,
    GoldenSetNotFound,
    NotAnAlternative,
    SessionChanged,
    SessionNotCompleted,
)
from goldloop.goldens.permissions import EVALS_MANAGE, EVALS_READ
from goldloop.kit.db import Actor, Database
from goldloop.kit.http import Db, PathId, Ports, Wire, problems
from goldloop.kit.outside import Outside
from goldloop.kit.pagination import DEFAULT_LIMIT, Page
from goldloop.kit.parameters import Cursor, Limit
from goldloop.kit.text import NAME_PATTERN
from goldloop.sessions import service as sessions
from goldloop.sessions.model import Session, SessionEvent, SessionIsReplay, SessionNotFound, SessionSource
from goldloop.sessions.permissions import SESSIONS_READ
from goldloop.sessions.whole_sessions import PayloadLost, read_events, read_whole_session
from goldloop.tenants.auth.api import Who, needs

SetName = Annotated[str, msgspec.Meta(min_length=1, max_length=100, pattern=NAME_PATTERN)]
Note = Annotated[str, msgspec.Meta(max_length=NOTE_CHARACTERS)]
Fact = Annotated[str, msgspec.Meta(min_length=1, max_length=FACT_CHARACTERS)]
Facts = Annotated[list[Fact], msgspec.Meta(max_length=MOST_FACTS)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]

READING = needs(EVALS_READ, SESSIONS_READ)
MANAGING = needs(EVALS_MANAGE, SESSIONS_READ, CRITERIA_SETS_READ)
MADE_BEFORE = {200: ResponseSpec(Golden, description="It was promoted so before", generate_examples=False)}


class NewGolden(Wire, frozen=True, rename="camel"):
    """`facts` are what a good answer has to say; `minPass` is the least share of its repeats that must pass. `floor` is whether
    its noise floor is measured at once, where its agent runs here."""

    session_id: UUID
    set: SetName = DEFAULT_SET
    note: Note | None = None
    criteria_set_id: UUID | None = None
    effects: Effects = Effects.EXACT
    facts: Facts = msgspec.field(default_factory=list)
    min_pass: Share | None = None
    floor: bool = True


class GoldenChange(Wire, frozen=True, rename="camel"):
    """What is left out stays as it is."""

    set: SetName | msgspec.UnsetType = msgspec.UNSET
    note: Note | msgspec.UnsetType | None = msgspec.UNSET
    criteria_set_id: UUID | msgspec.UnsetType | None = msgspec.UNSET
    effects: Effects | msgspec.UnsetType = msgspec.UNSET
    facts: Facts | msgspec.UnsetType = msgspec.UNSET
    min_pass: Share | msgspec.UnsetType | None = msgspec.UNSET


class SetChange(Wire, frozen=True):
    name: SetName


@post(
    "/golden",
    opt=needs(EVALS_MANAGE, SESSIONS_READ, CRITERIA_SETS_READ, *READS),
    responses=problems(
        SessionNotFound,
        CriteriaSetNotFound,
        GoldenExists,
        SessionNotCompleted,
        SessionIsReplay,
        SessionChanged,
        EventsLost,
        body=True,
    )
    | MADE_BEFORE,
    summary="Promote a completed session to a golden",
)
async def promote_session(data: JSONBody[NewGolden], db: Db, outside: Ports, actor: Who) -> Response[Golden]:
    """What it began with is frozen, and the session cannot be changed while it is golden. The same again: 200, no change."""
    recorded = await _events(db, outside, actor, data.session_id)
    fields = {name: getattr(data, name) for name in NewGolden.__struct_fields__} | {"note": data.note or ""}
    async with db.tx(actor) as tx:
        golden, is_new = await service.promote(tx, service.NewGolden(**fields), recorded)
    return Response(golden, status_code=201 if is_new else 200)


async def _events(db: Database, outside: Outside, actor: Actor, session_id: UUID) -> Sequence[SessionEvent]:
    async with db.reading().tx(actor) as tx:
        session = await sessions.access(tx, session_id)
    asks = () if session.source is SessionSource.RUN else ("model.request",)  # which may define tools
    try:
        return await read_events(db, outside, actor, session_id, {*WHOLE, *asks})
    except PayloadLost as error:
        raise EventsLost from error


@get("/golden", opt=READING, responses=problems(), summary="List goldens, newest first")
async def list_goldens(
    db: Db,
    actor: Who,
    set_name: Annotated[str | None, QueryParameter(name="set", max_length=100)] = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[Golden]:
    """`set` is the name of one."""
    async with db.tx(actor) as tx:
        return (await service.list_goldens(tx, set_name, cursor, limit)).sent()


@get(
    "/golden/{golden_id:uuid}",
    opt=READING,
    responses=problems(GoldenNotFound, EventsLost),
    summary="Show a golden with what was frozen of it",
)
async def show_golden(golden_id: PathId, db: Db, outside: Ports, actor: Who) -> GoldenDetail:
    async with db.tx(actor) as tx:
        golden, session, snapshot = await service.access_snapshot(tx, golden_id)
    facts = await _propose(db, outside, actor, session)
    return GoldenDetail(**msgspec.structs.asdict(golden), snapshot=snapshot, proposed_facts=facts)


@get(
    "/golden/{golden_id:uuid}/facts",
    opt=READING,
    responses=problems(GoldenNotFound, EventsLost),
    summary="Facts that a golden might require",
)
async def propose_golden_facts(golden_id: PathId, db: Db, outside: Ports, actor: Who) -> ProposedFacts:
    async with db.tx(actor) as tx:
        _, session, _ = await service.access_snapshot(tx, golden_id)
    return ProposedFacts(data=await _propose(db, outside, actor, session))


@get(
    "/facts",
    opt=READING,
    responses=problems(SessionNotFound, EventsLost),
    summary="Facts that a session might require if it were golden",
)
async def propose_session_facts(
    session_id: Annotated[UUID, QueryParameter(name="sessionId")], db: Db, outside: Ports, actor: Who
) -> ProposedFacts:
    async with db.tx(actor) as tx:
        session = await sessions.access(tx, session_id)
    return ProposedFacts(data=await _propose(db, outside, actor, session))


async def _propose(db: Database, outside: Outside, actor: Actor, session: Session) -> list[str]:
    try:
        return propose_facts(await read_whole_session(db, outside, actor, session))
    except PayloadLost as error:
        raise EventsLost from error


@patch(
    "/golden/{golden_id:uuid}",
    opt=MANAGING,
    responses=problems(GoldenNotFound, CriteriaSetNotFound, body=True),
    summary="Change the set or the note of a golden, or what its replays are held to",
)
async def change_golden(golden_id: PathId, data: JSONBody[GoldenChange], db: Db, actor: Who) -> Golden:
    """Where replays are compared otherwise, its revision grows, and its noise floor is not known any more."""
    wanted = {name: getattr(data, name) for name in GoldenChange.__struct_fields__}
    if data.note is None:
        wanted["note"] = ""
    async with db.tx(actor) as tx:
        return await service.change(tx, golden_id, service.GoldenChange(**wanted))


@delete(
    "/golden/{golden_id:uuid}",
    opt=MANAGING,
    responses=problems(GoldenNotFound),
    summary="Revoke a golden: its session is an ordinary one again",
)
async def revoke_golden(golden_id: PathId, db: Db, actor: Who) -> None:
    async with db.tx(actor) as tx:
        await service.revoke(tx, golden_id)


@put(
    "/golden/{golden_id:uuid}/alternatives/{session_id:uuid}",
    opt=MANAGING,
    responses=problems(GoldenNotFound, SessionNotFound, SessionNotCompleted, NotAnAlternative),
    summary="Accept a session as one that is as good",
)
async def accept_alternative(golden_id: PathId, session_id: PathId, db: Db, actor: Who) -> Golden:
    """A replay passes where it does what any of them did. The session cannot be changed meanwhile."""
    async with db.tx(actor) as tx:
        return await service.accept(tx, golden_id, session_id)


@delete(
    "/golden/{golden_id:uuid}/alternatives/{session_id:uuid}",
    opt=MANAGING,
    responses=problems(GoldenNotFound),
    summary="Accept a session no more",
)
async def remove_alternative(golden_id: PathId, session_id: PathId, db: Db, actor: Who) -> None:
    async with db.tx(actor) as tx:
        await service.accept_no_more(tx, golden_id, session_id)


@get("/sets", opt=needs(EVALS_READ), responses=problems(), summary="List sets of goldens by name")
async def list_golden_sets(
    db: Db, actor: Who, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None
) -> Page[GoldenSet]:
    async with db.tx(actor) as tx:
        return await service.list_sets(tx, cursor, limit)


@patch(
    "/sets/{golden_set_id:uuid}",
    opt=needs(EVALS_MANAGE),
    responses=problems(GoldenSetNotFound, GoldenSetExists, body=True),
    summary="Rename a set of goldens",
)
async def rename_golden_set(
    golden_set_id: PathId, data: JSONBody[SetChange], db: Db, actor: Who
) -> GoldenSet:
    async with db.tx(actor) as tx:
        return await service.rename_set(tx, golden_set_id, data.name)


router = Router(
    "/api/admin/evals",
    route_handlers=[
        promote_session,
        list_goldens,
        show_golden,
        propose_golden_facts,
        propose_session_facts,
        change_golden,
        revoke_golden,
        accept_alternative,
        remove_alternative,
        list_golden_sets,
        rename_golden_set,
    ],
    tags=["evals"],
)
