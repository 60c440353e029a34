"""Types and errors of sessions and their events."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec

from goldloop.agents.model import RunsWith
from goldloop.kit.errors import Conflict, GoldloopError, NotFound
from goldloop.kit.text import full_match
from goldloop.tenants.model import Agent, Party


class SessionNotFound(NotFound):
    code, title = "session_not_found", "There is no such session in this workspace"


class SessionExists(Conflict):
    code, title = "session_exists", "A session with this id exists with other content"


class SessionEnded(Conflict):
    code, title = "session_ended", "This session has ended"


class NoRuntime(GoldloopError):
    status, code, title = 422, "no_runtime", "This agent does not run here"


class ClaimLost(Exception):
    """Another worker has taken the session since: whoever learns this stops, and writes nothing more."""


class NotWaiting(Conflict):
    code, title = "session_not_waiting", "This session does not wait for a person"


class NothingToDismiss(Conflict):
    code, title = "session_needs_nobody", "Only a session that failed or stalled is dismissed"


class RunsHere(Conflict):
    code, title = "session_runs_here", "This session runs here: it is not recorded from elsewhere"


class RanElsewhere(Conflict):
    code, title = "session_ran_elsewhere", "This session ran elsewhere, and can only be run there again"


class SessionIsReplay(Conflict):
    code, title = (
        "session_is_replay",
        "A replay is of its eval run: it is not run again by itself, and is no golden",
    )


class EventNotFound(NotFound):
    code, title = "session_event_not_found", "This session has no such event"


class SessionType(StrEnum):
    AGENT = "agent"
    CHAT = "chat"
    RESPONSE = "response"
    TOOL = "tool"
    MIXED = "mixed"


class SessionStatus(StrEnum):
    """`waiting` is for a person's answer; `stalled` runs elsewhere and was not heard of for a while."""

    QUEUED = "queued"
    RUNNING = "running"
    WAITING = "waiting"
    STALLED = "stalled"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_over(self) -> bool:
        return self in ENDED


ENDED = (SessionStatus.COMPLETED, SessionStatus.FAILED, SessionStatus.CANCELLED)


GOLDEN = "golden"  # the key of metadata that says that others are held to a session
ACCEPTED_FOR = "accepted_for"  # the key that says for which goldens it is as good
EVAL_RESULT = "eval_result"  # the key that says what came of a replay
# What only the server writes into metadata: `eval_…` is what a replay is of, and what came of it.
RESERVED_METADATA = (
    GOLDEN, ACCEPTED_FOR, "eval_source", EVAL_RESULT, "eval_run", "eval_repeat", "eval_mode", "eval_context"
)  # fmt: skip


class WaitsFor(StrEnum):
    """What a person owes a session: an answer to its question, or a look at how it ended."""

    ANSWER = "answer"
    LOOK = "look"


WAITING_STATUSES = {
    WaitsFor.ANSWER: (SessionStatus.WAITING,),
    WaitsFor.LOOK: (SessionStatus.FAILED, SessionStatus.STALLED),
}


class SessionSource(StrEnum):
    """Run here, recorded by the program that ran it, or derived from the spans that it sent."""

    RUN = "run"
    CLIENT = "client"
    OTLP = "otlp"


EventName = Annotated[
    str, msgspec.Meta(max_length=100, pattern=full_match(r"[a-z][a-z0-9_]*(?:[.\-][a-z0-9_]+)*"))
]


class SessionError(msgspec.Struct, frozen=True, kw_only=True):
    code: str
    message: str


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What a session that waits wants to know of a person, and the tool call that the answer belongs to."""

    call_id: str
    text: str


class SessionProgress(msgspec.Struct, frozen=True, kw_only=True):
    done: int
    total: int


class ConversationRef(msgspec.Struct, frozen=True, kw_only=True):
    project: str
    id: str


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """`agent` is as it was sent, `agent_id` its entry in the registry. Tokens are those of the model's requests, counted
    once each; `cost` is in US dollars, null where nobody told it. `purpose` is what becomes of its result, `prompt` where
    nothing does. `manifest` names the knowledge that was in its prompt, null where none was. `progress` has one that works
    through many. One that failed or stalled waits for a person until `dismissed_at`."""

    id: UUID
    external_id: str | None
    type: SessionType
    status: SessionStatus
    source: SessionSource
    purpose: str
    agent: str | None
    agent_id: UUID | None
    agent_version: int | None
    entity_id: UUID | None
    task_id: UUID | None
    parent_session_id: UUID | None
    conversation: ConversationRef | None
    manifest: str | None
    input: dict[str, Any]
    output: Any
    error: SessionError | None
    question: Question | None
    progress: SessionProgress | None
    first_message: str
    events: int
    requests: int
    tool_calls: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    metadata: dict[str, Any]
    created_at: datetime
    started_at: datetime | None
    last_at: datetime
    ended_at: datetime | None
    dismissed_at: datetime | None
    created_by: Party

    @property
    def is_frozen(self) -> bool:
        """Whether it is golden, or as good as one that is: nobody changes it then."""
        return GOLDEN in self.metadata or ACCEPTED_FOR in self.metadata


class LastSession(msgspec.Struct, frozen=True, kw_only=True):
    id: UUID
    status: SessionStatus
    created_at: datetime
    ended_at: datetime | None


class ListedAgent(Agent, frozen=True, kw_only=True):
    """An agent with what it runs with (null: it runs elsewhere) and its newest session."""

    runs_with: RunsWith | None
    last_session: LastSession | None


class SessionTurn(msgspec.Struct, frozen=True, kw_only=True):
    project: str
    conversation_id: str
    turn_id: str


class SessionDetail(Session, frozen=True, kw_only=True):
    """`turns` are the first turns of conversations that name this session."""

    turns: list[SessionTurn]


class SessionEvent(msgspec.Struct, frozen=True, kw_only=True):
    """`seq` counts from 1 without gaps. A large payload is a preview here (`whole` is false); the whole one has a route of
    its own."""

    seq: int
    id: UUID
    type: str
    at: datetime
    payload: dict[str, Any]
    whole: bool


class Appended(msgspec.Struct, frozen=True, kw_only=True):
    """How many events were new, and how many the session has now."""

    added: int
    events: int


Ending = Literal["completed", "failed", "cancelled"]
