"""What of other concepts becomes feedback: each in the transaction of its cause, or by a mark that this left."""

from uuid import UUID

from goldloop.feedback.entries import evaluation_service, intake_service
from goldloop.kit.db import Tx
from goldloop.kit.events import Listener, listen
from goldloop.kit.queue import mark
from goldloop.responses import events as responses
from goldloop.sessions import events as sessions

listen(responses.REJECTED.name, Listener(act=intake_service.take_in_rejection))
listen(responses.RESULT_REJECTED.name, Listener(act=intake_service.take_in_rejected_value))
listen(responses.REOPENED.name, Listener(act=intake_service.take_back_rejection))
listen(responses.WITHDRAWN.name, Listener(act=intake_service.forget_withdrawn))
listen(sessions.FAILED.name, Listener(act=intake_service.take_in_failure))
listen(sessions.REOPENED.name, Listener(act=intake_service.take_back_failure))


@mark("feedback.evaluations")
async def take_in_evaluations(tx: Tx, key: str) -> None:
    """Results of evaluations that came with the spans of a session."""
    await evaluation_service.take_in(tx, UUID(key))
