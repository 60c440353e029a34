"""Use case: take in what others' evaluators say of a session, once each."""

from uuid import UUID

from goldloop.entities.records import store as records
from goldloop.feedback.entries import store
from goldloop.feedback.entries.store import NewRow
from goldloop.feedback.evaluations import read_evaluation
from goldloop.feedback.model import FeedbackSource
from goldloop.kit.db import Tx
from goldloop.kit.events import dispatch
from goldloop.kit.ids import new_id
from goldloop.sessions import derived_store
from goldloop.sessions import store as sessions

RESULT = "evaluation.result"  # the event of a session
AT_ONCE = 200


async def take_in(tx: Tx, session_id: UUID) -> None:
    """Every result that the session has, and none again. What was taken in for a session that turned out to be part of this
    one is about this one from now on."""
    session = await sessions.find(tx, session_id)
    if session is None:
        return
    entity = await records.find(tx, session.entity_id) if session.entity_id else None  # it may be gone
    after = 0
    while found := await derived_store.list_events_of_type(tx, session_id, RESULT, after, AT_ONCE):
        keys = [f"evaluation:{event.id}" for event in found]
        await store.set_session(tx, keys, session_id)
        for key, event in zip(keys, found, strict=True):
            evaluated = read_evaluation(event.payload)
            new = NewRow(
                id=new_id(),
                key=key,
                source_type=FeedbackSource.SESSION,
                rating=evaluated.rating,
                comment=evaluated.comment,
                context=evaluated.context | ({"agent": session.agent} if session.agent else {}),
                actor=None,  # what a machine scored is nobody's signal
                artefact=f"session:{session.id}",
                session_id=session.id,
                entity_id=entity.id if entity else None,
                agent_id=session.agent_id,
                entity_type=entity.type if entity else None,
                project=session.conversation.project if session.conversation else None,
                conversation_id=session.conversation.id if session.conversation else None,
            )
            if (written := await store.take_in(tx, new)) is not None:
                await dispatch(tx, written)
        after = found[-1].seq
