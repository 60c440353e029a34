"""Use cases: try a rejected extraction again, once for each rejected response, and say so where that cannot be."""

from typing import Any, NamedTuple
from uuid import UUID, uuid5

from goldloop.agents import store as configurations
from goldloop.agents.model import AgentConfig, SecretName
from goldloop.feedback.entries import intake_service, source_store
from goldloop.feedback.entries import store as entries
from goldloop.feedback.entries.events import FEEDBACK
from goldloop.feedback.entries.store import Wanted
from goldloop.feedback.model import Feedback, FeedbackSource, FeedbackStatus
from goldloop.feedback.permissions import FEEDBACK_REVIEW
from goldloop.feedback.reruns.instructions import RejectedValue, write_instructions
from goldloop.feedback.reruns.model import SETTINGS, FeedbackSettings
from goldloop.kit.db import Tx
from goldloop.kit.errors import GoldloopError
from goldloop.kit.events import Event, notify
from goldloop.kit.pagination import LAST_ID, LAST_TIME
from goldloop.population import service as population
from goldloop.population.model import POPULATE, POPULATOR, Asked, Material
from goldloop.population.service import Start
from goldloop.responses import store as responses
from goldloop.responses.model import EntityResponse, ResponseStatus
from goldloop.sessions import service as sessions
from goldloop.sessions import store as session_store
from goldloop.sessions.model import Session, SessionStatus
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.settings import service as workspace_settings

MOST_FIELDS = 500  # of a response
LIMIT_REACHED = "It was tried again {} times in a row; the workspace allows no more"


class Planned(NamedTuple):
    """A rejected response that is to be tried again: by whom, in which session, with what to read and to keep to."""

    response: EntityResponse
    rows: list[Feedback]
    agent: str
    config: AgentConfig
    has_key: bool
    session_id: UUID
    material: Material


class CannotRerun(Exception):
    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


async def read_settings(tx: Tx) -> FeedbackSettings:
    tx.actor.check(FEEDBACK_REVIEW)
    return await workspace_settings.read(tx, SETTINGS)


async def change_settings(tx: Tx, settings: FeedbackSettings) -> FeedbackSettings:
    tx.actor.check(FEEDBACK_REVIEW)
    await workspace_settings.write(tx, SETTINGS, settings)
    return settings


async def plan(tx: Tx, response_id: UUID) -> Planned | None:
    """None where there is nothing to try again, or where it was begun or done. What cannot be tried again says why on its rows."""
    rows = await _waiting(tx, response_id)
    if (
        not rows
        or rows[0].entity_id is None
        or any("session_id" in row.context.get("rerun", {}) for row in rows)
    ):
        return None
    response = await responses.find(tx, rows[0].entity_id, response_id)
    if (
        response is None
        or response.status is not ResponseStatus.REJECTED
        or response.withdrawn_at is not None
    ):
        return None
    made = (
        await source_store.find_next_attempt(tx, response_id, response.reviewed_at)
        if response.reviewed_at
        else None
    )
    if made is not None:
        await say(tx, rows, {"state": "completed", "response_id": str(made)})
        await intake_service.apply_rerun(tx, response_id, "Tried again")
        return None
    try:
        return await _plan(tx, response, rows)
    except CannotRerun as reason:
        await say(tx, rows, {"state": "not_started", "code": reason.code, "message": str(reason)})
    except GoldloopError as error:
        await say(tx, rows, {"state": "not_started", "code": error.code, "message": error.detail})
    return None


async def _plan(tx: Tx, response: EntityResponse, rows: list[Feedback]) -> Planned:
    allowed = (await workspace_settings.read(tx, SETTINGS)).reruns
    if await _attempts_before(tx, response) >= allowed:
        raise CannotRerun("rerun_limit", LIMIT_REACHED.format(allowed))
    made_in = await session_store.find(tx, rows[0].session_id) if rows[0].session_id else None
    agent, version = await sessions.access_runnable(tx, _agent_of(response, made_in))
    newest = await configurations.find_newest(tx, agent.id)
    assert newest is not None
    assert newest.version == version
    asked = await population.read_asked(tx, made_in) if made_in and made_in.purpose == POPULATE else None
    return Planned(
        response=response,
        rows=rows,
        agent=agent.slug,
        config=newest.config,
        has_key=await configurations.find_sealed(tx, agent.id, SecretName.MODEL_KEY) is not None,
        session_id=uuid5(response.id, f"rerun:{response.reviewed_at}"),
        material=_material(response, rows, asked),
    )


def _agent_of(response: EntityResponse, made_in: Session | None) -> str:
    """Who made it; of what a person took from a document, the agent that every workspace has."""
    if made_in is not None and made_in.agent_id is not None:
        return str(made_in.agent_id)
    return str(response.submitted_by_agent or POPULATOR)


def _material(response: EntityResponse, rows: list[Feedback], asked: Asked | None) -> Material:
    """What there was to read the first time, and what was said of what was found in it."""
    rejected = [
        RejectedValue(
            row.context["field_name"], row.context.get("rejected_value"), row.context["quality"]["summary"]
        )
        for row in rows
    ]
    return Material(
        criteria_set_id=response.criteria_set_id,
        dimensions=[each.field for each in rejected],
        temporal_value=response.temporal_value,
        text=asked.text if asked else None,
        documents=asked.documents if asked else [],
        instructions=write_instructions(rejected, response.review_notes or ""),
    )


async def begin(tx: Tx, planned: Planned) -> None:
    """Start the session, under the rejected response. The same again answers with what is there."""
    try:
        session = await population.populate(
            tx,
            planned.response.entity_id,
            planned.material,
            Start(agent=planned.agent, id=planned.session_id),
            planned.response.id,
        )
    except GoldloopError as error:
        await say(tx, planned.rows, {"state": "not_started", "code": error.code, "message": error.detail})
        return
    await say(tx, planned.rows, {"state": "started", "session_id": str(session.id)})


async def say(tx: Tx, rows: list[Feedback], rerun: dict[str, Any]) -> None:
    """On each of the rows, what became of trying again."""
    await entries.set_context(tx, [row.id for row in rows], [row.context | {"rerun": rerun} for row in rows])
    await notify(tx, FEEDBACK)


async def ended(tx: Tx, event: Event) -> None:
    """In the transaction that ends a session: what it tried again is applied, or says that it failed."""
    session = await session_store.find(tx, UUID(event.subject_id))
    if session is None or session.purpose != POPULATE or session.entity_id is None:
        return
    parent = session.input.get("parent_response_id")
    if not isinstance(parent, str):
        return
    system = await tx.acting_as(
        system_actor(tx.actor.tenant_id)
    )  # whoever runs the session may not see what is said of it
    await _tell(system, session, session.entity_id, UUID(parent))
    await tx.acting_as(tx.actor)


async def _tell(tx: Tx, session: Session, entity_id: UUID, parent: UUID) -> None:
    rows = await _waiting(tx, parent)
    if session.status is SessionStatus.COMPLETED:
        found = await responses.find(tx, entity_id, uuid5(session.id, "response"))
        became = {"response_id": str(found.id)} if found else {}
        await say(tx, rows, {"state": "completed", "session_id": str(session.id), **became})
        notes = "Tried again" if found else "Tried again, and nothing better was found"
        await intake_service.apply_rerun(tx, parent, f"{notes} (session {session.id})")
    elif rows:
        error = {"code": session.error.code, "message": session.error.message} if session.error else {}
        await say(tx, rows, {"state": str(session.status), "session_id": str(session.id), **error})


async def _waiting(tx: Tx, response_id: UUID) -> list[Feedback]:
    wanted = Wanted(
        status=FeedbackStatus.PENDING, source_type=FeedbackSource.EXTRACTION, response_id=response_id
    )
    found = (await entries.list_newest_first(tx, wanted, (LAST_TIME, LAST_ID), MOST_FIELDS)).read(Feedback)
    return [row for row in reversed(found.data) if "quality" in row.context]  # what was imported has none


async def _attempts_before(tx: Tx, response: EntityResponse) -> int:
    """How many attempts there were before this one, by what each was made from."""
    attempts = 0
    while response.parent_response_id is not None and attempts < intake_service.LONGEST_CHAIN:
        parent = await responses.find(tx, response.entity_id, response.parent_response_id)
        attempts += 1
        if parent is None:
            break
        response = parent
    return attempts
