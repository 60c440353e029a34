"""Rating the connections of records, and claims that rest on them."""

from collections.abc import Mapping
from typing import Any

import msgspec

from goldloop.client.calls import Call, Kind, Page, Resource, listing, operation
from goldloop.client.connection_types import (
    ClaimSettings,
    ClaimSource,
    Outcome,
    RankedConnection,
    SupportedClaim,
)
from goldloop.client.ids import Id, new_id
from goldloop.client.types import Response
from goldloop.client.workspace import Values, given


def _response_if_any(answer: dict[str, Any]) -> Response | None:
    return None if answer.get("submitted") is False else msgspec.convert(answer, Response)


class ConnectionMethods(Resource[Kind]):
    @operation("POST", "/api/entities/{entity_id}/responses", safe=True)
    def rate(
        self,
        entity_id: Id,
        values: Mapping[str, Values],
        *,
        criteria_set_id: Id | None = None,
        criteria_set_slug: str | None = None,
        field_meta: Values | None = None,
        source: str | None = None,
        notes: str | None = None,
        parent_response_id: Id | None = None,
        temporal_value: str | None = None,
        id: Id | None = None,
    ) -> Call[Response | None]:
        """Rate connections: values by connected record and dimension. An empty matrix writes nothing: None."""
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
        return Call(dict, (entity_id,), body=body | given(optional), read=_response_if_any)

    @listing("/api/entities/{entity_id}/relations/ranked")
    def ranked(self, entity_id: Id, field_key: str, criteria_set_id: Id) -> Call[Page[RankedConnection]]:
        """Best rated first."""
        query = {"field_key": field_key, "criteria_set_id": criteria_set_id}
        return Call(Page[RankedConnection], (entity_id,), query=query)

    @listing("/api/entities/{entity_id}/outcomes")
    def outcomes(self, entity_id: Id, criteria_set_id: Id) -> Call[Page[Outcome]]:
        """The records that did best with this one, best first."""
        return Call(Page[Outcome], (entity_id,), query={"criteria_set_id": criteria_set_id})


class ClaimMethods(Resource[Kind]):
    @operation("GET", "/api/claims/settings")
    def settings(self) -> Call[ClaimSettings]:
        return Call(ClaimSettings)

    @operation("PUT", "/api/claims/settings", safe=True)
    def change_settings(
        self, source_type: str, criteria_set: str, relation_field: str
    ) -> Call[ClaimSettings]:
        """What the workspace calls its sources, the set that rates them, and the field that leads to claims."""
        body = {"source_type": source_type, "criteria_set": criteria_set, "relation_field": relation_field}
        return Call(ClaimSettings, body=body)

    @listing("/api/entities/{entity_id}/sources")
    def sources(self, entity_id: Id) -> Call[Page[ClaimSource]]:
        """The sources that support a claim, each with the rating that counts."""
        return Call(Page[ClaimSource], (entity_id,))

    @listing("/api/entities/{entity_id}/claims")
    def supported(self, entity_id: Id) -> Call[Page[SupportedClaim]]:
        """The claims that a source supports."""
        return Call(Page[SupportedClaim], (entity_id,))
