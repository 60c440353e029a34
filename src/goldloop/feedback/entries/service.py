"""Use cases of feedback: give, read and count."""

import hashlib
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.conversations.permissions import CONVERSATIONS_READ
from goldloop.conversations.times import EARLIEST
from goldloop.conversations.turns import store as turns
from goldloop.entities.model import EntityNotFound
from goldloop.entities.permissions import ENTITIES_READ
from goldloop.entities.records import store as records
from goldloop.entities.records.words import terms
from goldloop.feedback.entries import store
from goldloop.feedback.entries.intake_service import actor_name
from goldloop.feedback.entries.store import NewRow, Wanted
from goldloop.feedback.model import (
    Counted,
    Feedback,
    FeedbackExists,
    FeedbackNotFound,
    FeedbackSource,
    FeedbackStatus,
    NotFlaggable,
    Rating,
)
from goldloop.feedback.permissions import FEEDBACK_CREATE, FEEDBACK_READ, FEEDBACK_REVIEW
from goldloop.kit.clock import now
from goldloop.kit.db import ActorKind, Tx
from goldloop.kit.errors import InvalidInput
from goldloop.kit.events import dispatch
from goldloop.kit.ids import new_id
from goldloop.kit.json_equality import same_json
from goldloop.kit.pagination import LAST_ID, LAST_TIME, NO_ROWS, RawPage, decode_pair
from goldloop.responses import store as responses
from goldloop.responses.permissions import RESPONSES_READ
from goldloop.sessions import store as sessions
from goldloop.sessions.model import SessionNotFound
from goldloop.sessions.permissions import SESSIONS_READ
from goldloop.tenants.agents import store as agents
from goldloop.tenants.model import AgentNotFound

TAKEN_BACK = "Taken back by whoever gave it"
LONGEST_PERIOD = timedelta(days=800)  # of counts by the day
MOST_REPEATS = 1000  # of the same words about the same thing, each after the one before was reviewed
MOST_REOPENED = 1000  # rows of one statement
_BY_THEIR_CAUSE = (FeedbackSource.EXTRACTION, FeedbackSource.SESSION)  # a rerun acts on what these say
_GIVEN = ("source_type", "rating", "comment", "session_id", "entity_id", "agent_id")


class NewFeedback(NamedTuple):
    source_type: FeedbackSource
    rating: Rating
    comment: str | None = None
    session_id: UUID | None = None
    entity_id: UUID | None = None
    agent_id: UUID | None = None
    context: dict[str, Any] | None = None
    id: UUID | None = None


async def give(tx: Tx, new: NewFeedback) -> Feedback:
    """Feedback in somebody's own words. The same words about the same thing again are the same feedback, until somebody has
    reviewed it."""
    tx.actor.check(FEEDBACK_CREATE)
    if new.source_type is FeedbackSource.OBSERVATION:
        tx.actor.check(FEEDBACK_REVIEW)
    if new.source_type in _BY_THEIR_CAUSE:
        message = "Such feedback is written when a value is rejected or a session fails"
        raise InvalidInput.at("/source_type", "written_by_its_cause", message)
    comment = new.comment if new.comment and new.comment.strip() else None
    new = new._replace(comment=comment, context=new.context or {})
    row = await _row(tx, new)
    if new.source_type is FeedbackSource.OBSERVATION and row.artefact.startswith("feedback:"):
        raise InvalidInput.at(
            "", "nothing_flagged", "Say what is flagged: a session, a record, a response or a turn"
        )
    for _ in range(MOST_REPEATS):
        if (written := await store.take_in(tx, row)) is not None:
            await dispatch(tx, written)
            return await _written(tx, row.id)
        before = await store.find(tx, row.id) if new.id else None
        if before is not None:
            return _given_before(before, new)
        before = await store.find_by_key(tx, row.key)
        if before is None:
            raise FeedbackExists(conflict={"id": str(row.id)})
        if before.status is FeedbackStatus.PENDING:
            return before
        row = row._replace(key=_key("again", row.key, str(before.id)))
    raise FeedbackExists(conflict={"id": str(row.id)})


async def _written(tx: Tx, feedback_id: UUID) -> Feedback:
    found = await store.find(tx, feedback_id)
    if found is None:
        raise FeedbackNotFound
    return found


def _given_before(before: Feedback, new: NewFeedback) -> Feedback:
    same = all(
        getattr(new, name) is None or getattr(before, name) == getattr(new, name) for name in _GIVEN
    ) and same_json(before.context, new.context or {})
    if not same:
        raise FeedbackExists(conflict={"id": str(before.id)})
    return before


async def _row(tx: Tx, new: NewFeedback) -> NewRow:
    """With what it is about looked up, so that nobody speaks of what is not there."""
    context = new.context or {}
    feedback_id = new.id or new_id()
    turn = await _find_turn(tx, context)
    response = await _find_response(tx, context, new.entity_id)
    entity_id = new.entity_id or (response[0] if response else None)
    session_id, agent_id = new.session_id, new.agent_id
    if session_id is not None:
        tx.actor.check(SESSIONS_READ)
        session = await sessions.find(tx, session_id)
        if session is None:
            raise SessionNotFound
        agent_id, entity_id = agent_id or session.agent_id, entity_id or session.entity_id
    if new.agent_id is not None and await agents.find(tx, new.agent_id) is None:
        raise AgentNotFound
    entity_type = None
    if entity_id is not None:
        tx.actor.check(ENTITIES_READ)
        entity = await records.find(tx, entity_id)
        if entity is None and new.entity_id is not None:
            raise EntityNotFound
        entity_id = entity.id if entity else None  # the record of a session may be gone
        entity_type = entity.type if entity else None
    same = new._replace(comment=new.comment.strip() if new.comment else None)
    words = [actor_name(tx.actor), *(str(getattr(same, name)) for name in _GIVEN)]
    return NewRow(
        id=feedback_id,
        key=_key("said", *words, msgspec.json.encode(context, order="deterministic").decode()),
        source_type=new.source_type,
        rating=new.rating,
        comment=new.comment,
        context=context,
        actor=actor_name(tx.actor),
        artefact=_artefact(new, context, turn, response),
        created_by=tx.actor.id if tx.actor.kind is ActorKind.USER else None,
        session_id=session_id,
        entity_id=entity_id,
        agent_id=agent_id,
        entity_type=entity_type,
        response_id=response[1] if response else None,
        project=turn[0] if turn else None,
        conversation_id=turn[1] if turn else None,
        turn_id=turn[2] if turn else None,
    )


def _artefact(
    new: NewFeedback,
    context: dict[str, Any],
    turn: tuple[str, str, str] | None,
    response: tuple[UUID, UUID] | None,
) -> str:
    if turn:
        return f"turn:{'/'.join(turn)}"
    if response:
        return f"response:{response[1]}"
    if isinstance(context.get("tool_run_id"), str):
        return f"tool_run:{context['tool_run_id']}"
    for kind, named in (("session", new.session_id), ("entity", new.entity_id)):
        if named is not None:
            return f"{kind}:{named}"
    return f"feedback:{new.id or ''}"


def _key(kind: str, *parts: str) -> str:
    return f"{kind}:{hashlib.sha256(msgspec.json.encode(parts)).hexdigest()}"


async def _find_turn(tx: Tx, context: dict[str, Any]) -> tuple[str, str, str] | None:
    if context.get("turn_id") is None:
        return None
    tx.actor.check(CONVERSATIONS_READ)
    match [context.get(name) for name in ("project", "conversation_id", "turn_id")]:
        case [str(project), str(conversation_id), str(turn_id)]:
            if await turns.find_turn_user(tx, project, conversation_id, turn_id) is not None:
                return project, conversation_id, turn_id
    raise NotFlaggable("There is no such turn: it is named by project, conversation_id and turn_id")


async def _find_response(tx: Tx, context: dict[str, Any], entity_id: UUID | None) -> tuple[UUID, UUID] | None:
    """The record and the response that a context names."""
    if (named := context.get("response_id")) is None:
        return None
    tx.actor.check(RESPONSES_READ)
    try:
        response_id = UUID(named)
    except (ValueError, AttributeError, TypeError):
        raise NotFlaggable("There is no such response") from None
    if entity_id is None or await responses.find(tx, entity_id, response_id) is None:
        raise NotFlaggable(
            "There is no such response to this record: it is named by entity_id and response_id"
        )
    return entity_id, response_id


async def access(tx: Tx, feedback_id: UUID) -> Feedback:
    """What others gave is as absent as what is not there, but for whoever reviews."""
    tx.actor.check(FEEDBACK_READ)
    found = await store.find(tx, feedback_id)
    if found is None:
        raise FeedbackNotFound
    return found


async def list_feedback(
    tx: Tx, wanted: Wanted, agent: str | None, words: str | None, cursor: str | None, limit: int
) -> RawPage[Feedback]:
    """`agent` is a slug or an id of the registry; one that is not there has no feedback."""
    tx.actor.check(FEEDBACK_READ)
    if agent is not None:
        found = await find_agent(tx, agent)
        if found is None:
            return NO_ROWS
        wanted = wanted._replace(agent_id=found)
    if not tx.actor.may(FEEDBACK_REVIEW):  # as the database has it anyway, but by an index
        by_user = tx.actor.kind is ActorKind.USER
        wanted = wanted._replace(created_by=tx.actor.id) if by_user else wanted._replace(by_agent=tx.actor.id)
    wanted = wanted._replace(terms=tuple(terms(words or "")))
    before = decode_pair(cursor, datetime) or (LAST_TIME, LAST_ID)
    return await store.list_newest_first(tx, wanted, before, limit)


async def find_agent(tx: Tx, agent: str) -> UUID | None:
    """By its slug or its id."""
    try:
        found = await agents.find(tx, UUID(agent))
    except ValueError:
        found = await agents.find_by_slug(tx, agent)
    return found.id if found else None


async def count(tx: Tx, since: datetime | None, until: datetime | None, unit: str) -> list[Counted]:
    """Of what the caller may see, by source and rating over time; the last thirty days unless told otherwise."""
    tx.actor.check(FEEDBACK_READ)
    end = max(until or now(), EARLIEST)
    begin = since or end - timedelta(days=30)
    if end - begin > LONGEST_PERIOD:
        raise InvalidInput.at("/since", "too_long", f"At most {LONGEST_PERIOD.days} days are counted at once")
    return await store.count_in_time(tx, begin, end, unit)
