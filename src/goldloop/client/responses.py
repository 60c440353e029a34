"""Responses: to one record, and over all of them."""

from collections.abc import Sequence
from datetime import datetime

from goldloop.client.calls import Call, Kind, Page, Resource, listing, operation
from goldloop.client.ids import Id, new_id
from goldloop.client.inbox_types import Assignment, ListedResponse, ResponseCount
from goldloop.client.types import Aggregation, Response, ScoredResponse
from goldloop.client.workspace import Values, given


class ResponseMethods(Resource[Kind]):
    @operation("POST", "/api/entities/{entity_id}/responses", safe=True)
    def submit(
        self,
        entity_id: Id,
        values: Values,
        *,
        criteria_set_id: Id | None = None,
        criteria_set_slug: str | None = None,
        field_meta: Values | None = None,
        source: str | None = None,
        notes: str | None = None,
        parent_response_id: Id | None = None,
        temporal_value: str | None = None,
        id: Id | None = None,
    ) -> Call[Response]:
        """Without a criteria set the default one of the record's type is meant."""
        body = {"values": values, "id": id or new_id()}
        optional = {
            "criteria_set_id": criteria_set_id,
            "criteria_set_slug": criteria_set_slug,
            "field_meta": field_meta,
            "source": source,
            "notes": notes,
            "parent_response_id": parent_response_id,
            "temporal_value": temporal_value,
        }
        return Call(Response, (entity_id,), body=body | given(optional))

    @listing("/api/entities/{entity_id}/responses")
    def list(
        self, entity_id: Id, *, criteria_set_id: Id | None = None, status: str | None = None
    ) -> Call[Page[Response]]:
        """Newest first."""
        return Call(
            Page[Response], (entity_id,), query={"criteria_set_id": criteria_set_id, "status": status}
        )

    @listing("/api/responses")
    def list_all(
        self,
        *,
        status: str | None = None,
        type: str | None = None,
        criteria_set: Id | str | None = None,
        submitted_by: Id | str | None = None,
        assigned_to: Id | str | None = None,
        promotable: bool | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> Call[Page[ListedResponse]]:
        """Over all records, newest first. `promotable=True` is what waits for review; `submitted_by` is person, agent or
        an id, `assigned_to` a member's id, me or nobody."""
        query = {
            "status": status,
            "type": type,
            "criteria_set": criteria_set,
            "submitted_by": submitted_by,
            "assigned_to": assigned_to,
            "promotable": promotable,
            "since": since and since.isoformat(),
            "until": until and until.isoformat(),
        }
        return Call(Page[ListedResponse], query=query)

    @operation("GET", "/api/responses/count")
    def count_all(
        self,
        *,
        status: str | None = None,
        type: str | None = None,
        criteria_set: Id | str | None = None,
        submitted_by: Id | str | None = None,
        assigned_to: Id | str | None = None,
        promotable: bool | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> Call[ResponseCount]:
        """How many `list_all` has with the same arguments, up to 10,000; `more` where there are more."""
        query = {
            "status": status,
            "type": type,
            "criteria_set": criteria_set,
            "submitted_by": submitted_by,
            "assigned_to": assigned_to,
            "promotable": promotable,
            "since": since and since.isoformat(),
            "until": until and until.isoformat(),
        }
        return Call(ResponseCount, query=query)

    @operation("POST", "/api/responses/assign", safe=True)
    def assign(
        self, ids: Sequence[Id] = (), *, user_id: Id | None, entity_ids: Sequence[Id] = ()
    ) -> Call[Assignment]:
        """To a member who may review, or with None to nobody; all of them (200 at most) or none. `entity_ids` are records
        all of whose waiting responses are meant."""
        body = {"ids": list(ids), "entity_ids": list(entity_ids), "user_id": user_id}
        return Call(Assignment, body=body)

    @operation("GET", "/api/entities/{entity_id}/responses/{response_id}")
    def show(self, entity_id: Id, response_id: Id) -> Call[Response]:
        return Call(Response, (entity_id, response_id))

    @operation("PATCH", "/api/entities/{entity_id}/responses/{response_id}")
    def review(
        self, entity_id: Id, response_id: Id, status: str, review_notes: str | None = None
    ) -> Call[Response]:
        """`rejected`, with notes that say what to do better, or `submitted` to reopen."""
        body = {"status": status, "review_notes": review_notes}
        return Call(Response, (entity_id, response_id), body=body)

    @operation("DELETE", "/api/entities/{entity_id}/responses/{response_id}")
    def withdraw(self, entity_id: Id, response_id: Id) -> Call[None]:
        return Call(None, (entity_id, response_id))

    @operation("GET", "/api/entities/{entity_id}/responses/aggregate")
    def aggregate(
        self, entity_id: Id, criteria_set_id: Id, *, strategy: str | None = None, compact: bool | None = None
    ) -> Call[Aggregation]:
        """`strategy` is mean, median, min or max."""
        query = {"criteria_set_id": criteria_set_id, "strategy": strategy, "compact": compact}
        return Call(Aggregation, (entity_id,), query=query)

    @listing("/api/entities/{entity_id}/responses/raters")
    def raters(self, entity_id: Id, criteria_set_id: Id) -> Call[Page[Response]]:
        """The newest response of each rater that counts."""
        return Call(Page[Response], (entity_id,), query={"criteria_set_id": criteria_set_id})

    @listing("/api/entities/{entity_id}/responses/scores")
    def scores(self, entity_id: Id, criteria_set_id: Id) -> Call[Page[ScoredResponse]]:
        """Scores over time, newest first."""
        return Call(Page[ScoredResponse], (entity_id,), query={"criteria_set_id": criteria_set_id})
