"""Use cases that take in what happens elsewhere as feedback, each in the transaction of its cause and once."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from goldloop.criteria.model import Dimension
from goldloop.entities.records import store as records
from goldloop.entities.types import store as types
from goldloop.feedback.entries import events, replay_store, source_store, store
from goldloop.feedback.entries.naming import named_fields
from goldloop.feedback.entries.store import About, NewRow
from goldloop.feedback.model import NOTE_CHARACTERS, FeedbackSource, FeedbackStatus, Rating
from goldloop.feedback.quality import FeedbackInput, format_feedback_quality_summary, score_feedback_quality
from goldloop.kit.db import Actor, ActorKind, Tx
from goldloop.kit.events import Event, dispatch, emit_all
from goldloop.kit.ids import new_id
from goldloop.kit.queue import set_marks
from goldloop.responses import store as responses
from goldloop.responses.model import EntityResponse
from goldloop.sessions import store as sessions
from goldloop.sessions.beginning import NOT_LEARNT_FROM
from goldloop.sessions.model import Session

LONGEST_CHAIN = 50  # responses that are followed to the first attempt
TAKEN_BACK = "The rejection was taken back"
WITHDRAWN = "The response was withdrawn"
WENT_ON = "The session went on after it had failed"
_OF_RESPONSES = (FeedbackSource.RESPONSE, FeedbackSource.EXTRACTION)


async def take_in_rejection(tx: Tx, event: Event) -> None:
    """A response was rejected: one row, whatever number of values it has."""
    response = await _find_response(tx, event)
    if response is None:
        return
    context: dict[str, Any] = {
        "response_id": str(response.id),
        "criteria_set_id": str(response.criteria_set_id),
    }
    if field := _one_field(response):
        context["field_name"] = field
    new = NewRow(
        id=new_id(),
        key=f"response:{event.id}",
        source_type=FeedbackSource.RESPONSE,
        rating=Rating.NEGATIVE,
        comment=response.review_notes,
        context=context,
        **await _about(tx, response, None),
    )
    await _take_in(tx, new)


def _one_field(response: EntityResponse) -> str | None:
    """What a rejection is about, where that is one value: the only one, or the only one that the note names."""
    if response.is_relation_scoped:
        rated = response.values.values()
        fields = {key for values in rated if isinstance(values, dict) for key in values}
    else:
        fields = set(response.values)
    if len(fields) > 1:
        fields &= named_fields(response.review_notes or "", _labels(response))
    return next(iter(fields)) if len(fields) == 1 else None


def _labels(response: EntityResponse) -> dict[str, str | None]:
    return {each.key: each.label for each in response.criteria_snapshot if each.key}


async def take_in_rejected_value(tx: Tx, event: Event) -> None:
    """A value that an agent found was rejected with notes: a row with what whoever tries again needs to know."""
    response = await _find_response(tx, event)
    if response is None:
        return
    field, value, notes = event.payload["field"], event.payload["value"], event.payload["notes"]
    dimension = _dimension(response, field)
    meta = _meta(response, field)
    quality = score_feedback_quality(
        FeedbackInput(
            reason=notes,
            rejected_value=value,
            field_name=field,
            field_label=dimension.label if dimension else None,
            response_id=str(response.id),
            parent_response_id=str(response.parent_response_id) if response.parent_response_id else None,
            sources=meta.get("sources") or (),
            criteria_snapshot=response.criteria_snapshot,
            field_meta=meta,
        )
    )
    about = await _about(tx, response, meta.get("session_id"))
    entity_type = await types.find(tx, about["entity_type"]) if about["entity_type"] else None
    context = {
        "response_id": str(response.id),
        "criteria_set_id": str(response.criteria_set_id),
        "field_name": field,
        "entity_type_id": str(entity_type.id) if entity_type else None,
        "rejected_value": value,
        "quality": {
            "score": quality.score,
            "grade": quality.grade,
            "present": quality.present,
            "missing": quality.missing,
            "summary": format_feedback_quality_summary(quality),
        },
    }
    if named := named_fields(notes or "", _labels(response)):
        context["named"] = field.rpartition(".")[2] in named or field in named
    new = NewRow(
        id=new_id(),
        key=f"extraction:{event.id}",
        source_type=FeedbackSource.EXTRACTION,
        rating=Rating.NEGATIVE,
        comment=notes,
        context=context,
        **about,
    )
    await _take_in(tx, new)


async def take_back_rejection(tx: Tx, event: Event) -> None:
    """A rejected response was reopened: what waits of the feedback about it waits no more, and what was reviewed counts no
    more for what rests on it."""
    response_id = UUID(event.subject_id)
    reviewed = await store.withdraw(tx, response_id, _OF_RESPONSES)
    about = About(response_id=response_id)
    await _settle(tx, about, FeedbackStatus.DISMISSED, TAKEN_BACK, _OF_RESPONSES)
    await emit_all(
        tx,
        [events.WITHDRAWN.of(row.id, events.FeedbackGone(source_type=row.source_type)) for row in reviewed],
    )


async def forget_withdrawn(tx: Tx, event: Event) -> None:
    about = About(response_id=UUID(event.subject_id))
    await _settle(tx, about, FeedbackStatus.DISMISSED, WITHDRAWN, _OF_RESPONSES)


async def take_in_failure(tx: Tx, event: Event) -> None:
    """A session failed: one row, with the reason. One that goes on and fails again has two."""
    session = await sessions.find(tx, UUID(event.subject_id))
    if session is None or session.purpose in NOT_LEARNT_FROM:
        return
    code, message = event.payload["code"], event.payload["message"]
    entity = await records.find(tx, session.entity_id) if session.entity_id else None  # it may be gone
    agent = str(session.agent_id or session.agent or "")
    new = NewRow(
        id=new_id(),
        key=f"session:{event.id}",
        source_type=FeedbackSource.SESSION,
        rating=Rating.NEGATIVE,
        comment=None,
        context={"failure_reason": message, "code": code}
        | ({"agent": session.agent} if session.agent else {}),
        actor=f"agent:{agent}@{session.agent_version or ''}",
        artefact=f"session:{await _first_run(tx, session)}",
        session_id=session.id,
        entity_id=entity.id if entity else None,
        agent_id=session.agent_id,
        entity_type=entity.type if entity else None,
        project=session.conversation.project if session.conversation else None,
        conversation_id=session.conversation.id if session.conversation else None,
    )
    await _take_in(tx, new)


async def take_in_replay(tx: Tx, replay: Session, golden_id: UUID, divergence: str) -> None:
    """A replay did not do what its golden did: one row, however often it is said."""
    new = NewRow(
        id=new_id(),
        key=f"replay:{replay.id}",
        source_type=FeedbackSource.SESSION,
        rating=Rating.NEGATIVE,
        comment=divergence[:NOTE_CHARACTERS],
        context={
            "golden_id": str(golden_id),
            "golden_session_id": str(golden_id),
            "replay_session_id": str(replay.id),
            "agent_version": replay.agent_version,
        },
        actor=f"agent:{replay.agent_id}@{replay.agent_version}",
        artefact=f"golden:{golden_id}",
        session_id=replay.id,
        agent_id=replay.agent_id,
    )
    await _take_in(tx, new)


async def settle_replays(tx: Tx, replay_ids: Sequence[UUID], notes: str) -> None:
    """What waits of what was said about replays waits no more."""
    for replay_id in await replay_store.list_waiting_replays(tx, replay_ids):
        await _settle(
            tx, About(session_id=replay_id), FeedbackStatus.DISMISSED, notes, [FeedbackSource.SESSION]
        )


async def take_back_failure(tx: Tx, event: Event) -> None:
    """A session that had failed goes on: what waits of the feedback about that waits no more."""
    about = About(session_id=UUID(event.subject_id))
    await _settle(tx, about, FeedbackStatus.DISMISSED, WENT_ON, [FeedbackSource.SESSION])


async def _first_run(tx: Tx, session: Session) -> UUID:
    """Runs of one session again are one signal."""
    for _ in range(LONGEST_CHAIN):
        before = await _find_session(tx, session.metadata.get("run_again_of"))
        if before is None:
            break
        session = before
    return session.id


async def _take_in(tx: Tx, new: NewRow) -> None:
    written = await store.take_in(tx, new)
    if written is not None:
        await dispatch(tx, written)


async def apply_rerun(tx: Tx, response_id: UUID, notes: str) -> None:
    """The rejected values of a response were tried again."""
    about = About(response_id=response_id)
    await _settle(tx, about, FeedbackStatus.APPLIED, notes, [FeedbackSource.EXTRACTION])


async def _settle(
    tx: Tx, about: About, status: FeedbackStatus, notes: str, sources: Sequence[FeedbackSource]
) -> None:
    ended = await store.settle(tx, about, sources, status, notes[:NOTE_CHARACTERS])
    await emit_all(
        tx,
        [
            events.REVIEWED.of(
                row.id,
                events.FeedbackReviewed(source_type=row.source_type, status=status, cause_ended=True),
            )
            for row in ended
        ],
    )
    await set_marks(tx, "feedback.group", sorted({str(row.group_id) for row in ended if row.group_id}))


async def _find_response(tx: Tx, event: Event) -> EntityResponse | None:
    return await responses.find(tx, UUID(event.payload["entity_id"]), UUID(event.payload["response_id"]))


async def _about(tx: Tx, response: EntityResponse, session: object) -> dict[str, Any]:
    """What rows about a rejected response have in common."""
    found = await _find_session(tx, session or _session_named(response))
    if found is None and response.submitted_by_agent is not None:
        made_in = await source_store.session_making(
            tx, response.submitted_by_agent, response.id, response.created_at
        )
        found = await sessions.find(tx, made_in) if made_in else None
    return {
        "created_by": tx.actor.id if tx.actor.kind is ActorKind.USER else None,
        "actor": actor_name(tx.actor),
        "artefact": f"response:{await _first_attempt(tx, response)}",
        "session_id": found.id if found else None,
        "entity_id": response.entity_id,
        "agent_id": response.submitted_by_agent or (found.agent_id if found else None),
        "entity_type": await _entity_type(tx, response.entity_id),
        "response_id": response.id,
    }


def actor_name(actor: Actor) -> str:
    return f"{actor.kind}:{actor.id or ''}"


def _session_named(response: EntityResponse) -> object:
    """The session that values say they come from, if they all say the same."""
    named = {meta.get("session_id") for meta in response.field_meta.values() if isinstance(meta, dict)}
    return next(iter(named)) if len(named) == 1 else None


async def _find_session(tx: Tx, name: object) -> Session | None:
    try:
        return await sessions.find(tx, UUID(name)) if isinstance(name, str) else None
    except ValueError:
        return None


async def _first_attempt(tx: Tx, response: EntityResponse) -> UUID:
    """What somebody says of the third attempt at a value is what they said of the first."""
    for _ in range(LONGEST_CHAIN):
        if response.parent_response_id is None:
            break
        parent = await responses.find(tx, response.entity_id, response.parent_response_id)
        if parent is None:
            break
        response = parent
    return response.id


async def _entity_type(tx: Tx, entity_id: UUID | None) -> str | None:
    entity = await records.find(tx, entity_id) if entity_id else None
    return entity.type if entity else None


def _dimension(response: EntityResponse, field: str) -> Dimension | None:
    """`field` is after the connection and a dot where connections were rated."""
    key = field.rpartition(".")[2] if response.is_relation_scoped else field
    return next((dimension for dimension in response.criteria_snapshot if dimension.key == key), None)


def _meta(response: EntityResponse, field: str) -> dict[str, Any]:
    found: Any = response.field_meta
    for part in field.split(".", 1) if response.is_relation_scoped else [field]:
        found = found.get(part) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else {}
