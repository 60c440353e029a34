"""Submissions in the background, which neither delay nor break the caller's own request.

`submit`, `add_turn` and `react` put a response, a turn or a reaction into a bounded queue and return. A thread sends the
queue in order, turns of one conversation together. While the server is away it keeps trying (at a submission that it fails
at, five times); when the queue is full the oldest submission makes room. What is dropped or refused is counted and logged,
never raised.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from goldloop.client.calls import Call, Operation
from goldloop.client.conversations import ConversationMethods, turn_body
from goldloop.client.delivery import BackgroundStats as BackgroundStats
from goldloop.client.delivery import Delivery
from goldloop.client.ids import Id, new_id
from goldloop.client.quiet import never_raising
from goldloop.client.responses import ResponseMethods

_NO_ID: UUID | str | None = None


class Background(Delivery):
    @never_raising(_NO_ID)
    def submit(
        self,
        entity_id: Id,
        values: Mapping[str, Any],
        *,
        criteria_set_id: Id | None = None,
        criteria_set_slug: str | None = None,
        field_meta: Mapping[str, Any] | None = None,
        source: str | None = None,
        notes: str | None = None,
        parent_response_id: Id | None = None,
        temporal_value: str | None = None,
        id: Id | None = None,
    ) -> UUID | str | None:
        """Queue a response, as `responses.submit` takes it, and return its id; None if it could not be."""
        response_id = id or new_id()
        call = ResponseMethods.submit.describe(
            None,
            entity_id,
            dict(values),
            criteria_set_id=criteria_set_id,
            criteria_set_slug=criteria_set_slug,
            field_meta=field_meta,
            source=source,
            notes=notes,
            parent_response_id=parent_response_id,
            temporal_value=temporal_value,
            id=response_id,
        )
        return response_id if self.queue_call(ResponseMethods.submit, call) else None

    @never_raising(False)
    def add_turn(
        self,
        project: str,
        conversation_id: str,
        turn_id: str,
        user: str | None = None,
        assistant: str | None = None,
        *,
        user_id: str | None = None,
        agent: str | None = None,
        session_id: str | None = None,
        ts: datetime | None = None,
        bundle_id: str | None = None,
        track_id: str | None = None,
        turn_log: Mapping[str, Any] | None = None,
        gate: bool | None = None,
    ) -> bool:
        """Queue a turn; False if it could not be. Its time is now, however late it arrives. What the user says is read
        for reactions unless `gate` is False."""
        turn = turn_body(
            turn_id,
            user,
            assistant,
            user_id=user_id,
            agent=agent,
            session_id=session_id,
            ts=ts or datetime.now(UTC),
            bundle_id=bundle_id,
            track_id=track_id,
            turn_log=turn_log,
        )
        call = ConversationMethods.add_turns.describe(None, project, conversation_id, turn, gate=gate)
        return self.queue_call(ConversationMethods.add_turns, call, turn_id)

    @never_raising(False)
    def react(
        self,
        project: str,
        conversation_id: str,
        turn_id: str,
        reaction: str | None,
        *,
        text: str | None = None,
        ts: datetime | None = None,
        user_id: str | None = None,
    ) -> bool:
        """Queue a reaction, as `conversations.react` takes it; False if it could not be. Its time is now."""
        moment = ts or datetime.now(UTC)
        call = ConversationMethods.react.describe(
            None, project, conversation_id, turn_id, reaction, text=text, ts=moment, user_id=user_id
        )
        return self.queue_call(ConversationMethods.react, call)

    def queue_call(self, operation: Operation[Any, Any], call: Call[Any], item_id: str | None = None) -> bool:
        return self.put(operation.route.request(call), item_id)
