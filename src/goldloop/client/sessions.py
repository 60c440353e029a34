"""Sessions: recording what agents do, and reading what happened."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from goldloop.client.calls import Call, Kind, Page, Resource, listing, operation, polling
from goldloop.client.ids import Id, new_id
from goldloop.client.session_types import Appended, Session, SessionDetail, SessionEvent
from goldloop.client.workspace import given

Payload = Mapping[str, Any]

OVER = ("completed", "failed", "cancelled")
RESTING = (*OVER, "waiting")  # for a person: it does not go on by itself


def event_body(
    type: str, payload: Payload, *, at: datetime | None = None, id: Id | None = None
) -> dict[str, Any]:
    """An event as the API takes it. Its id makes sending it twice the same as sending it once."""
    return {"id": id or new_id(), "type": type, "payload": dict(payload), **given({"at": at})}


def _rests(session: SessionDetail) -> bool:
    return session.status in RESTING


class SessionMethods(Resource[Kind]):
    @operation("POST", "/api/sessions", safe=True)
    def create(
        self,
        agent: str | None = None,
        *,
        input: Payload | None = None,
        source: str = "client",
        type: str = "agent",
        entity_id: Id | None = None,
        parent_session_id: Id | None = None,
        conversation: Mapping[str, str] | None = None,
        metadata: Payload | None = None,
        manifest: str | None = None,
        external_id: str | None = None,
        at: datetime | None = None,
        id: Id | None = None,
    ) -> Call[Session]:
        """Begin to record a session of an agent. `conversation` is `{project, id}`, `manifest` names the knowledge in its prompt."""
        optional = {
            "agent": agent,
            "input": input,
            "entity_id": entity_id,
            "parent_session_id": parent_session_id,
            "conversation": conversation,
            "metadata": metadata,
            "manifest": manifest,
            "external_id": external_id,
            "at": at,
        }
        return Call(Session, body={"source": source, "type": type, "id": id or new_id()} | given(optional))

    @operation("POST", "/api/sessions/{session_id}/events", safe=True)
    def add_events(self, session_id: Id, events: Sequence[Mapping[str, Any]]) -> Call[Appended]:
        """Add events (`event_body` makes one) to a session that runs elsewhere, at most 1000."""
        return Call(Appended, (session_id,), body=list(events))

    @operation("POST", "/api/sessions/{session_id}/end", safe=True)
    def end(
        self,
        session_id: Id,
        status: str = "completed",
        *,
        output: Any = None,
        error: str | Mapping[str, str] | None = None,
        at: datetime | None = None,
    ) -> Call[Session]:
        """`status` is completed, failed or cancelled; `error` is a text, or `{code, message}`. It ended now, or `at`."""
        body = {"status": status, **given({"output": output, "error": error, "at": at})}
        return Call(Session, (session_id,), body=body)

    @operation("POST", "/api/sessions", safe=True)
    def start(
        self,
        agent: str,
        message: str,
        *,
        input: Payload | None = None,
        type: str = "agent",
        entity_id: Id | None = None,
        parent_session_id: Id | None = None,
        conversation: Mapping[str, str] | None = None,
        metadata: Payload | None = None,
        id: Id | None = None,
    ) -> Call[Session]:
        """Start a run of a configured agent in Goldloop. `input` is what stands beside the message."""
        optional = {
            "entity_id": entity_id,
            "parent_session_id": parent_session_id,
            "conversation": conversation,
            "metadata": metadata,
        }
        given_input = {**(input or {}), "message": message}
        body = {"agent": agent, "input": given_input, "type": type, "id": id or new_id()} | given(optional)
        return Call(Session, body=body)

    @polling("/api/sessions/{session_id}", until=_rests)
    def wait(self, session_id: Id) -> Call[SessionDetail]:
        """Until it is over, or waits for a person; at most `timeout` seconds (600), else `NotInTime`."""
        return Call(SessionDetail, (session_id,))

    @operation("POST", "/api/sessions/{session_id}/cancel", safe=True)
    def cancel(self, session_id: Id) -> Call[Session]:
        return Call(Session, (session_id,))

    @operation("POST", "/api/sessions/{session_id}/answer")
    def answer(self, session_id: Id, text: str) -> Call[Session]:
        """What a person says to one that waits for them; it goes on with that."""
        return Call(Session, (session_id,), body={"text": text})

    @operation("POST", "/api/sessions/{session_id}/dismiss")
    def dismiss(self, session_id: Id) -> Call[Session]:
        """Take one that failed or stalled out of the inbox."""
        return Call(Session, (session_id,))

    @operation("POST", "/api/sessions/{session_id}/run-again", safe=True)
    def run_again(self, session_id: Id, *, id: Id | None = None) -> Call[Session]:
        """A new run with the input of an earlier one."""
        return Call(Session, (session_id,), body={"id": id or new_id()})

    @operation("GET", "/api/sessions/{session_id}")
    def show(self, session_id: Id) -> Call[SessionDetail]:
        return Call(SessionDetail, (session_id,))

    @listing("/api/sessions")
    def list(
        self,
        *,
        status: str | None = None,
        type: str | None = None,
        agent: str | None = None,
        entity_id: Id | None = None,
        task_id: Id | None = None,
        parent_session_id: Id | None = None,
        source: str | None = None,
        golden: bool | None = None,
        waits_for: str | None = None,
        purpose: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        q: str | None = None,
    ) -> Call[Page[Session]]:
        """Newest first. `agent` is a slug or an id, `q` words that were said. `waits_for` is `answer` or `look`: the
        latter failed or stalled, and nobody dismissed them. Replays are left out unless `purpose` is `replay`."""
        query = {
            "status": status,
            "type": type,
            "agent": agent,
            "entity_id": entity_id,
            "task_id": task_id,
            "parent_session_id": parent_session_id,
            "source": source,
            "golden": golden,
            "waits_for": waits_for,
            "purpose": purpose,
            "since": since,
            "until": until,
            "q": q,
        }
        return Call(Page[Session], query=query)

    @listing("/api/sessions/{session_id}/events")
    def events(self, session_id: Id, *, after: int | None = None) -> Call[Page[SessionEvent]]:
        """In order; `after` is the `seq` that was read last."""
        return Call(Page[SessionEvent], (session_id,), query={"after": after})

    @operation("GET", "/api/sessions/{session_id}/events/{seq}/payload")
    def payload(self, session_id: Id, seq: int) -> Call[dict[str, Any]]:
        """The whole payload of an event, where its list has a preview."""
        return Call(dict[str, Any], (session_id, seq))
