"""What a session is when it begins. Pure."""

from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.sessions.model import ConversationRef, Session, SessionSource, SessionStatus, SessionType
from goldloop.tenants.model import Agent, Party

PROMPT = "prompt"  # the purpose of a session whose result is its answer and nothing else
REPLAY = "replay"  # that of one which tries what another did: it changes nothing, and nobody learns from it by itself
JUDGING = "judging"  # that of one in which a model is asked what a replay is worth
EVAL_RUN = "eval_run"  # that of one which waits for the replays of a task
TRIALS = (
    REPLAY,
    JUDGING,
)  # of which there may be thousands at once: whoever asked for them is told what came of them
NOT_LEARNT_FROM = (*TRIALS, EVAL_RUN)  # where they fail, nobody need learn from that


class NewSession(NamedTuple):
    """`agent` is a slug or an id of the registry, or, where it runs elsewhere, any text. `purpose` is what becomes of the
    result of one that runs here, `manifest` the knowledge that was in the prompt of one that does not."""

    agent: str | None
    input: dict[str, Any]
    type: SessionType = SessionType.AGENT
    purpose: str = PROMPT
    id: UUID | None = None
    external_id: str | None = None
    entity_id: UUID | None = None
    task_id: UUID | None = None
    parent_session_id: UUID | None = None
    conversation: ConversationRef | None = None
    metadata: dict[str, Any] | None = None
    manifest: str | None = None
    at: datetime | None = None


def first_state(
    new: NewSession,
    source: SessionSource,
    agent: Agent | None,
    version: int | None,
    own_id: UUID,
    now: datetime,
    by: Party,
) -> Session:
    """`own_id` and `now` are for what does not say its own."""
    runs_here = source is SessionSource.RUN
    moment = new.at or now
    return Session(
        id=new.id or own_id,
        external_id=new.external_id,
        type=new.type,
        status=SessionStatus.QUEUED if runs_here else SessionStatus.RUNNING,
        source=source,
        purpose=new.purpose,
        agent=agent.slug if runs_here and agent else new.agent,
        agent_id=agent.id if agent else None,
        agent_version=version,
        entity_id=new.entity_id,
        task_id=new.task_id,
        parent_session_id=new.parent_session_id,
        conversation=new.conversation,
        manifest=new.manifest,
        input=new.input,
        output=None,
        error=None,
        question=None,
        progress=None,
        first_message="",
        events=0,
        requests=0,
        tool_calls=0,
        input_tokens=0,
        output_tokens=0,
        cost=None,
        metadata=new.metadata or {},
        created_at=moment,
        started_at=None if runs_here else moment,
        last_at=moment,
        ended_at=None,
        dismissed_at=None,
        created_by=by,
    )
