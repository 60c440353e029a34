"""Feedback: what people and agents think of agents' work, its review, its groups, and bringing it from elsewhere."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from goldloop.client.calls import Call, Kind, Page, Resource, listing, operation
from goldloop.client.feedback_types import (
    DecidedGroup,
    Feedback,
    FeedbackAfterReview,
    FeedbackCounts,
    FeedbackDetail,
    FeedbackGroup,
    FeedbackSettings,
    GroupOutcomes,
    ImportKinds,
    ImportReport,
    QualityLoopReport,
    ReviewOutcomes,
    SplitOff,
)
from goldloop.client.ids import Id, new_id
from goldloop.client.workspace import given


class FeedbackMethods(Resource[Kind]):
    @operation("POST", "/api/feedback", safe=True)
    def give(
        self,
        source_type: str,
        rating: str,
        comment: str | None = None,
        *,
        session_id: Id | None = None,
        entity_id: Id | None = None,
        agent_id: Id | None = None,
        context: Mapping[str, Any] | None = None,
        id: Id | None = None,
    ) -> Call[Feedback]:
        """`rating` is positive, negative or neutral. The source `observation` flags a turn, a response, a session or a
        record, and takes an administrator."""
        optional = {
            "comment": comment,
            "session_id": session_id,
            "entity_id": entity_id,
            "agent_id": agent_id,
            "context": context,
        }
        body = {"source_type": source_type, "rating": rating, "id": id or new_id()}
        return Call(Feedback, body=body | given(optional))

    @listing("/api/feedback")
    def list(
        self,
        *,
        status: str | None = None,
        source_type: str | None = None,
        rating: str | None = None,
        agent: str | None = None,
        entity_type: str | None = None,
        entity_id: Id | None = None,
        session_id: Id | None = None,
        response_id: Id | None = None,
        project: str | None = None,
        conversation_id: str | None = None,
        turn_id: str | None = None,
        group_id: Id | None = None,
        near_group_id: Id | None = None,
        grouped: bool | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        q: str | None = None,
    ) -> Call[Page[Feedback]]:
        """Newest first: one's own, or everybody's for whoever reviews. `q` are words of the comment."""
        wanted = {
            "status": status,
            "source_type": source_type,
            "rating": rating,
            "agent": agent,
            "entity_type": entity_type,
            "entity_id": entity_id,
            "session_id": session_id,
            "response_id": response_id,
            "project": project,
            "conversation_id": conversation_id,
            "turn_id": turn_id,
            "group_id": group_id,
            "near_group_id": near_group_id,
            "grouped": grouped,
            "since": since,
            "until": until,
            "q": q,
        }
        return Call(Page[Feedback], query=wanted)

    @operation("GET", "/api/feedback/{feedback_id}")
    def show(self, feedback_id: Id) -> Call[FeedbackDetail]:
        return Call(FeedbackDetail, (feedback_id,))

    @operation("PATCH", "/api/feedback/{feedback_id}")
    def review(
        self, feedback_id: Id, status: str, review_notes: str | None = None
    ) -> Call[FeedbackAfterReview]:
        """`reviewed`, `applied` or `dismissed`; `pending` takes a review back. Raises Conflict where somebody was first."""
        body = {"status": status} | given({"review_notes": review_notes})
        return Call(FeedbackAfterReview, (feedback_id,), body=body)

    @operation("POST", "/api/feedback/review")
    def review_many(
        self, ids: Sequence[Id], status: str, review_notes: str | None = None
    ) -> Call[ReviewOutcomes]:
        """With one note, and an answer for each; `pending` takes back what one has reviewed oneself."""
        return Call(
            ReviewOutcomes, body={"ids": ids, "status": status} | given({"review_notes": review_notes})
        )

    @operation("DELETE", "/api/feedback/{feedback_id}")
    def take_back(self, feedback_id: Id) -> Call[None]:
        """One's own, while nobody has reviewed it."""
        return Call(None, (feedback_id,))

    @operation("POST", "/api/feedback/{feedback_id}/erase")
    def erase(self, feedback_id: Id) -> Call[None]:
        """For good. Knowledge that rests on it is counted anew."""
        return Call(None, (feedback_id,))

    @operation("GET", "/api/feedback/counts")
    def counts(
        self, *, since: datetime | None = None, until: datetime | None = None, unit: str | None = None
    ) -> Call[FeedbackCounts]:
        """By source and rating, for each day, week or month."""
        return Call(FeedbackCounts, query={"since": since, "until": until, "unit": unit})

    @listing("/api/feedback/groups")
    def groups(
        self,
        *,
        state: str | None = None,
        proposed: bool | None = None,
        waits: bool | None = None,
        kind: str | None = None,
        rating: str | None = None,
        agent: str | None = None,
        entity_type: str | None = None,
        source_type: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        q: str | None = None,
    ) -> Call[Page[FeedbackGroup]]:
        """Open and proposed ones unless told otherwise: what came back first, then by cohesion and origins. `q` are words of
        their members."""
        wanted = {
            "state": state,
            "proposed": proposed,
            "waits": waits,
            "kind": kind,
            "rating": rating,
            "agent": agent,
            "entity_type": entity_type,
            "source_type": source_type,
            "since": since,
            "until": until,
            "q": q,
        }
        return Call(Page[FeedbackGroup], query=wanted)

    @operation("GET", "/api/feedback/groups/{group_id}")
    def group(self, group_id: Id) -> Call[FeedbackGroup]:
        return Call(FeedbackGroup, (group_id,))

    @listing("/api/feedback/groups/{group_id}/members")
    def members(self, group_id: Id, *, near: bool | None = None) -> Call[Page[Feedback]]:
        """Newest first; with `near` those that are in no group and may belong to it."""
        return Call(Page[Feedback], (group_id,), query={"near": near})

    @operation("POST", "/api/feedback/groups/{group_id}/review")
    def review_group(self, group_id: Id, status: str, review_notes: str | None = None) -> Call[GroupOutcomes]:
        body = {"status": status} | given({"review_notes": review_notes})
        return Call(GroupOutcomes, (group_id,), body=body)

    @operation("POST", "/api/feedback/groups/{group_id}/dismiss")
    def dismiss(self, group_id: Id, reason: str, note: str | None = None) -> Call[DecidedGroup]:
        """With the members that wait. It comes back when two more origins join it."""
        return Call(DecidedGroup, (group_id,), body={"reason": reason} | given({"note": note}))

    @operation("POST", "/api/feedback/groups/{group_id}/snooze")
    def snooze(self, group_id: Id, note: str | None = None) -> Call[DecidedGroup]:
        return Call(DecidedGroup, (group_id,), body=given({"note": note}))

    @operation("POST", "/api/feedback/groups/{group_id}/reopen")
    def reopen(self, group_id: Id) -> Call[FeedbackGroup]:
        return Call(FeedbackGroup, (group_id,))

    @operation("POST", "/api/feedback/groups/{group_id}/merge")
    def merge(self, group_id: Id, into: Id, note: str | None = None) -> Call[DecidedGroup]:
        """The answer is the group that stays."""
        return Call(DecidedGroup, (group_id,), body={"into": into} | given({"note": note}))

    @operation("POST", "/api/feedback/groups/{group_id}/add")
    def add(self, group_id: Id, ids: Sequence[Id], note: str | None = None) -> Call[DecidedGroup]:
        """Put feedback into a group, whatever it was in."""
        return Call(DecidedGroup, (group_id,), body={"ids": ids} | given({"note": note}))

    @operation("POST", "/api/feedback/groups/{group_id}/split")
    def split(self, group_id: Id, ids: Sequence[Id], note: str | None = None) -> Call[SplitOff]:
        return Call(SplitOff, (group_id,), body={"ids": ids} | given({"note": note}))

    @operation("POST", "/api/feedback/decisions/{decision_id}/undo")
    def undo(self, decision_id: Id) -> Call[FeedbackGroup]:
        """Take back a decision about a group, by the `decision_id` that it was answered with."""
        return Call(FeedbackGroup, (decision_id,))

    @operation("GET", "/api/feedback/settings")
    def settings(self) -> Call[FeedbackSettings]:
        return Call(FeedbackSettings)

    @operation("PUT", "/api/feedback/settings")
    def change_settings(self, reruns: int) -> Call[FeedbackSettings]:
        """`reruns` is how often in a row a rejected extraction is tried again by itself."""
        return Call(FeedbackSettings, body={"reruns": reruns})

    @operation("GET", "/api/feedback/quality-loop")
    def quality_loop(
        self, *, since: datetime | None = None, until: datetime | None = None
    ) -> Call[QualityLoopReport]:
        return Call(QualityLoopReport, query={"since": since, "until": until})

    @operation("GET", "/api/feedback/import")
    def import_kinds(self) -> Call[ImportKinds]:
        return Call(ImportKinds)

    @operation("POST", "/api/feedback/import", safe=True)
    def import_file(
        self,
        kind: str,
        text: str,
        *,
        dry_run: bool = True,
        rules: Sequence[str] | None = None,
        neutral_rest: bool = False,
    ) -> Call[ImportReport]:
        """JSON lines, a JSON array or CSV; the same again changes nothing. Large files: `goldloop import`."""
        body = {"kind": kind, "text": text, "dry_run": dry_run, "neutral_rest": neutral_rest}
        return Call(ImportReport, body=body | given({"rules": rules}))
