"""Deleting for good, with all that was made of it, and how long things are kept."""

from typing import Any

from goldloop.client.calls import Call, Kind, Page, Resource, listing, operation
from goldloop.client.erasure_types import Erasure, ErasurePreview, Retention, RetentionDue
from goldloop.client.ids import Id, new_id
from goldloop.client.workspace import given


class ErasureMethods(Resource[Kind]):
    @operation("POST", "/api/erasures", safe=True)
    def request(
        self,
        kind: str,
        *,
        project: str | None = None,
        conversation_id: str | None = None,
        session_id: Id | None = None,
        entity_id: Id | None = None,
        user_id: str | None = None,
        confirm: str | None = None,
        id: Id | None = None,
    ) -> Call[Erasure]:
        """`kind` is `conversation` (`project`, `conversation_id`), `session` (`session_id`), `record` or `responses`
        (`entity_id`), `end_user` (`user_id`) or `workspace` (`confirm`, its slug). It is hidden at once and deleted in the
        background."""
        named = _named(kind, project, conversation_id, session_id, entity_id, user_id)
        return Call(Erasure, body=named | given({"confirm": confirm}) | {"id": id or new_id()})

    @operation("POST", "/api/erasures/preview", safe=True)
    def preview(
        self,
        kind: str,
        *,
        project: str | None = None,
        conversation_id: str | None = None,
        session_id: Id | None = None,
        entity_id: Id | None = None,
        user_id: str | None = None,
    ) -> Call[ErasurePreview]:
        """What would go and what would stay. Named as in `request`."""
        return Call(
            ErasurePreview, body=_named(kind, project, conversation_id, session_id, entity_id, user_id)
        )

    @listing("/api/erasures")
    def list(self, *, user_id: str | None = None) -> Call[Page[Erasure]]:
        """Newest first; with `user_id` those of an end user, also when they are over."""
        return Call(Page[Erasure], query=given({"user_id": user_id}))

    @operation("GET", "/api/erasures/{erasure_id}")
    def show(self, erasure_id: Id) -> Call[Erasure]:
        return Call(Erasure, (erasure_id,))

    @operation("GET", "/api/retention")
    def retention(self) -> Call[Retention]:
        return Call(Retention)

    @operation("PUT", "/api/retention")
    def change_retention(
        self,
        *,
        traces_days: int,
        sessions_days: int | None,
        conversations_days: int | None,
        events_days: int | None,
    ) -> Call[Retention]:
        """In days after something was last added to; None keeps it for ever."""
        return Call(Retention, body=_days(traces_days, sessions_days, conversations_days, events_days))

    @operation("POST", "/api/retention/preview", safe=True)
    def preview_retention(
        self,
        *,
        traces_days: int,
        sessions_days: int | None,
        conversations_days: int | None,
        events_days: int | None,
    ) -> Call[RetentionDue]:
        """A dry run: what would go now if things were kept so long."""
        return Call(RetentionDue, body=_days(traces_days, sessions_days, conversations_days, events_days))


def _named(
    kind: str,
    project: str | None,
    conversation_id: str | None,
    session_id: Id | None,
    entity_id: Id | None,
    user_id: str | None,
) -> dict[str, Any]:
    subject = {"project": project, "conversation_id": conversation_id, "session_id": session_id}
    return {"kind": kind} | given(subject | {"entity_id": entity_id, "user_id": user_id})


def _days(traces: int, sessions: int | None, conversations: int | None, events: int | None) -> dict[str, Any]:
    return {
        "traces_days": traces,
        "sessions_days": sessions,
        "conversations_days": conversations,
        "events_days": events,
    }
