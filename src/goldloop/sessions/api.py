"""Routes of sessions: `/api/sessions`."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import msgspec
from litestar import Response, Router, get, post
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from goldloop.conversations.model import Moment
from goldloop.conversations.times import check_moment
from goldloop.entities.model import EntityNotFound
from goldloop.kit.blobs import BlobStoreFailed
from goldloop.kit.clock import now
from goldloop.kit.errors import Fault, Faults, InvalidInput
from goldloop.kit.http import MENDS_TEXT, Db, PathId, Ports, Wire, problems
from goldloop.kit.pagination import DEFAULT_LIMIT, Page
from goldloop.kit.parameters import Cursor, Limit, When
from goldloop.kit.text import ID_PATTERN, full_match
from goldloop.kit.times import moment
from goldloop.kit.wire_types import Object
from goldloop.limits.model import RUN_REFUSALS
from goldloop.sessions import beginning, overview_service, service
from goldloop.sessions.large_payloads import put_large, read_whole
from goldloop.sessions.list_store import ListFilter
from goldloop.sessions.model import (
    RESERVED_METADATA,
    Appended,
    ConversationRef,
    Ending,
    EventName,
    EventNotFound,
    ListedAgent,
    NoRuntime,
    NothingToDismiss,
    NotWaiting,
    RanElsewhere,
    RunsHere,
    Session,
    SessionDetail,
    SessionEnded,
    SessionError,
    SessionEvent,
    SessionExists,
    SessionIsReplay,
    SessionNotFound,
    SessionSource,
    SessionStatus,
    SessionType,
    WaitsFor,
)
from goldloop.sessions.payloads import find_faults
from goldloop.sessions.permissions import SESSIONS_CREATE, SESSIONS_READ
from goldloop.sessions.store import NewEvent
from goldloop.tenants.auth.api import Who, needs
from goldloop.tenants.model import AgentNotFound
from goldloop.tenants.permissions import AGENTS_READ

ClientId = Annotated[str, msgspec.Meta(min_length=1, max_length=200, pattern=ID_PATTERN)]
AgentName = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
Message = Annotated[str, msgspec.Meta(max_length=20_000)]


class InConversation(Wire, frozen=True):
    project: ClientId
    id: ClientId


ManifestHash = Annotated[str, msgspec.Meta(pattern=full_match(r"[0-9a-f]{64}"))]


class NewSession(Wire, frozen=True):
    """Without a `source` a run of a configured agent here, with `input.message` to it. With `client` a session that runs
    elsewhere, whose `agent` may be any text and whose `manifest` names the knowledge that its prompt has, as
    `GET /api/shared-context/prompt` answers it."""

    source: SessionSource = SessionSource.RUN
    agent: AgentName | None = None
    input: Object = msgspec.field(default_factory=dict)
    type: SessionType = SessionType.AGENT
    entity_id: UUID | None = None
    parent_session_id: UUID | None = None
    conversation: InConversation | None = None
    metadata: Object = msgspec.field(default_factory=dict)
    manifest: ManifestHash | None = None
    external_id: ClientId | None = None
    at: Moment | None = None
    id: UUID | None = None


class NewSessionEvent(Wire, frozen=True):
    id: UUID
    type: EventName
    payload: Object
    at: Moment | None = None


class Failure(Wire, frozen=True):
    message: Message
    code: Annotated[str, msgspec.Meta(min_length=1, max_length=100)] = "failed"


class Answer(Wire, frozen=True):
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=20_000)]


class Again(Wire, frozen=True):
    id: UUID | None = None


class End(Wire, frozen=True):
    status: Ending
    output: Any = None
    error: Failure | Message | None = None
    at: Moment | None = None  # when it ended, where that was before now


Events = Annotated[list[NewSessionEvent], msgspec.Meta(max_length=service.MOST_EVENTS)]


@post(
    "/",
    opt=needs(SESSIONS_CREATE, SESSIONS_READ),
    responses=problems(SessionExists, EntityNotFound, AgentNotFound, NoRuntime, *RUN_REFUSALS, body=True),
    summary="Start a run of an agent, or begin to record one that runs elsewhere",
)
async def create_session(data: JSONBody[NewSession], db: Db, actor: Who) -> Session:
    check_moment("/at", data.at, now())
    if data.source is SessionSource.OTLP:
        raise InvalidInput.at("/source", "reserved", "Sessions of spans are made by those who send spans")
    _check_metadata(data.metadata)
    runs_here = data.source is SessionSource.RUN
    if runs_here:
        _check_run(data)
    where = data.conversation
    fields = {name: getattr(data, name) for name in NewSession.__struct_fields__ if name != "source"}
    conversation = ConversationRef(project=where.project, id=where.id) if where else None
    async with db.tx(actor) as tx:
        new = beginning.NewSession(**fields | {"conversation": conversation})
        return await (service.start if runs_here else service.create)(tx, new)


def _check_metadata(metadata: dict[str, Any]) -> None:
    faults = [
        Fault(path=f"/metadata/{key}", code="reserved", message="Only the server says this of a session")
        for key in RESERVED_METADATA
        if key in metadata
    ]
    if faults:
        raise InvalidInput(errors=faults)


def _check_run(data: NewSession) -> None:
    faults = Faults()
    if data.agent is None:
        faults.append(Fault(path="/agent", code="required", message="A run needs an agent"))
    message = data.input.get("message")
    if not isinstance(message, str) or not message.strip():
        faults.append(Fault(path="/input/message", code="required", message="A run needs a message, a text"))
    for name in ("at", "external_id", "manifest"):
        if getattr(data, name) is not None:
            faults.append(
                Fault(
                    path=f"/{name}",
                    code="not_for_runs",
                    message="Only a session that runs elsewhere has this",
                )
            )
    if faults:
        raise InvalidInput(errors=faults)


@get("/", opt=needs(SESSIONS_READ), responses=problems(), summary="List sessions, newest first")
async def list_sessions(
    db: Db,
    actor: Who,
    status: FromQuery[SessionStatus | None] = None,
    type: FromQuery[SessionType | None] = None,
    agent: Annotated[str | None, QueryParameter(max_length=200)] = None,
    entity_id: FromQuery[UUID | None] = None,
    task_id: FromQuery[UUID | None] = None,
    parent_session_id: FromQuery[UUID | None] = None,
    source: FromQuery[SessionSource | None] = None,
    golden: FromQuery[bool | None] = None,
    purpose: Annotated[str | None, QueryParameter(max_length=100)] = None,
    waits_for: FromQuery[WaitsFor | None] = None,
    since: When = None,
    until: When = None,
    q: Annotated[str | None, QueryParameter(max_length=200)] = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[Session]:
    """`agent` is a slug or an id; `q` are words of what was said in it. One that waits for a look failed or
    stalled, and nobody dismissed it. Replays of goldens, and what judges them, are left out unless `purpose`
    is `replay` or `judging`."""
    wanted = ListFilter(
        status=status,
        type=type,
        source=source,
        entity_id=entity_id,
        task_id=task_id,
        parent_session_id=parent_session_id,
        golden=golden,
        purpose=purpose,
        waits_for=waits_for,
        since=moment("since", since),
        until=moment("until", until),
    )
    async with db.tx(actor) as tx:
        return (await service.list_sessions(tx, wanted, agent, q, cursor, limit)).sent()


@get(
    "/{session_id:uuid}",
    opt=needs(SESSIONS_READ),
    responses=problems(SessionNotFound),
    summary="Show a session",
)
async def show_session(session_id: PathId, db: Db, actor: Who) -> SessionDetail:
    async with db.tx(actor) as tx:
        return await service.show(tx, session_id)


@get(
    "/{session_id:uuid}/events",
    opt=needs(SESSIONS_READ),
    responses=problems(SessionNotFound),
    summary="List what happened in a session, in order",
)
async def list_session_events(
    session_id: PathId,
    db: Db,
    actor: Who,
    after: Annotated[int | None, QueryParameter(ge=0, le=2**31 - 1)] = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[SessionEvent]:
    """`after` is the `seq` that was read last."""
    async with db.tx(actor) as tx:
        return (await service.list_events(tx, session_id, cursor, limit, after)).sent()


@get(
    "/{session_id:uuid}/events/{seq:int}/payload",
    opt=needs(SESSIONS_READ),
    responses=problems(SessionNotFound, EventNotFound, BlobStoreFailed),
    summary="Show the whole payload of an event",
)
async def show_event_payload(
    session_id: PathId, seq: FromPath[int], db: Db, outside: Ports, actor: Who
) -> Response[dict[str, Any]]:
    async with db.tx(actor) as tx:
        stored = await service.access_payload(tx, session_id, seq)
    whole = await read_whole(outside.blobs, actor.tenant_id, stored)
    if whole is None:
        raise EventNotFound("The blob store does not have this payload any more")
    raw: Any = whole  # JSON as it is stored: decoding it would only cost time
    return Response(raw, media_type="application/json")


@post(
    "/{session_id:uuid}/events",
    opt=needs(SESSIONS_CREATE, SESSIONS_READ) | MENDS_TEXT,
    responses=problems(SessionNotFound, SessionEnded, RunsHere, BlobStoreFailed, body=True),
    status_code=200,
    summary="Add events to a session that runs elsewhere",
)
async def add_session_events(
    session_id: PathId, data: JSONBody[Events], db: Db, outside: Ports, actor: Who
) -> Appended:
    """Sending an event twice is sending it once, by its id. Text that cannot be stored (U+0000, half characters) is
    replaced by U+FFFD, so that no event is lost for it."""
    received = now()
    _check(data, received)
    new = [NewEvent(event.id, event.type, event.at or received, event.payload) for event in data]
    kept = await put_large(outside.blobs, actor.tenant_id, new)
    return await service.record(db.autocommit(actor), session_id, kept)


def _check(new: list[NewSessionEvent], received: datetime) -> None:
    faults = Faults()
    has_twins = len({event.id.int for event in new}) < len(new)
    known: set[UUID] = set()
    for place, event in enumerate(new):
        if event.at is not None:
            check_moment(f"/{place}/at", event.at, received)
        if found := find_faults(event.type, event.payload, f"/{place}"):
            faults += found
        if has_twins and event.id in known:
            faults.append(
                Fault(path=f"/{place}/id", code="duplicate", message="Another event of this call has this id")
            )
        if has_twins:
            known.add(event.id)
    if faults:
        raise InvalidInput(errors=faults)


@post(
    "/{session_id:uuid}/end",
    opt=needs(SESSIONS_CREATE, SESSIONS_READ),
    responses=problems(SessionNotFound, SessionEnded, RunsHere, body=True),
    status_code=200,
    summary="End a session that runs elsewhere",
)
async def end_session(session_id: PathId, data: JSONBody[End], db: Db, actor: Who) -> Session:
    check_moment("/at", data.at, now())
    why = Failure(message=data.error) if isinstance(data.error, str) else data.error
    error = SessionError(code=why.code, message=why.message) if why else None
    async with db.tx(actor) as tx:
        return await service.end(tx, session_id, SessionStatus(data.status), data.output, error, data.at)


@post(
    "/{session_id:uuid}/cancel",
    opt=needs(SESSIONS_CREATE, SESSIONS_READ),
    responses=problems(SessionNotFound, SessionEnded),
    status_code=200,
    summary="Cancel a session",
)
async def cancel_session(session_id: PathId, db: Db, actor: Who) -> Session:
    async with db.tx(actor) as tx:
        return await service.cancel(tx, session_id)


@get(
    "/overview",
    opt=needs(AGENTS_READ, SESSIONS_READ),
    responses=problems(),
    summary="List agents by slug, with what they run with and their newest session",
)
async def list_agents_with_sessions(
    db: Db, actor: Who, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None
) -> Page[ListedAgent]:
    async with db.tx(actor) as tx:
        return await overview_service.list_agents(tx, cursor, limit)


@post(
    "/{session_id:uuid}/answer",
    opt=needs(SESSIONS_CREATE, SESSIONS_READ),
    responses=problems(SessionNotFound, NotWaiting, body=True),
    status_code=200,
    summary="Answer a session that waits for a person",
)
async def answer_session(session_id: PathId, data: JSONBody[Answer], db: Db, actor: Who) -> Session:
    async with db.tx(actor) as tx:
        return await service.answer(tx, session_id, data.text)


@post(
    "/{session_id:uuid}/dismiss",
    opt=needs(SESSIONS_CREATE, SESSIONS_READ),
    responses=problems(SessionNotFound, NothingToDismiss),
    status_code=200,
    summary="Take a session that failed or stalled out of the inbox",
)
async def dismiss_session(session_id: PathId, db: Db, actor: Who) -> Session:
    async with db.tx(actor) as tx:
        return await service.dismiss(tx, session_id)


@post(
    "/{session_id:uuid}/run-again",
    opt=needs(SESSIONS_CREATE, SESSIONS_READ),
    responses=problems(
        SessionNotFound, SessionExists, RanElsewhere, SessionIsReplay, NoRuntime, *RUN_REFUSALS, body=True
    ),
    summary="Start a run with the input of an earlier one",
)
async def run_session_again(session_id: PathId, data: JSONBody[Again], db: Db, actor: Who) -> Session:
    async with db.tx(actor) as tx:
        return await service.run_again(tx, session_id, data.id)


of_agents_router = Router("/api/agents", route_handlers=[list_agents_with_sessions], tags=["agents"])
router = Router(
    "/api/sessions",
    route_handlers=[
        create_session,
        list_sessions,
        show_session,
        list_session_events,
        show_event_payload,
        add_session_events,
        end_session,
        cancel_session,
        answer_session,
        dismiss_session,
        run_session_again,
    ],
    tags=["sessions"],
)
