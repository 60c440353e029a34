"""A clinic: visits that did protocols, and a criteria set that rates each protocol of a visit."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx

from goldloop.edges.jobs import refresh_edge_scores
from tests.loops import some
from tests.records import Desk, ok

NAMED = {"type": "object", "properties": {"name": {"type": "string"}}}
RATING = {"key": "rating", "label": "Rating", "type": "rating", "scale": [1, 5], "weight": 1}
NOTE = {"key": "note", "label": "Note", "type": "text"}
SCOPE = {"type": "relation", "fieldKey": "protocols"}


@dataclass
class Clinic:
    desk: Desk
    criteria_set: Any

    async def make_protocol(self, title: str = "Protocol") -> Any:
        return await self.desk.make_record(type="protocol", title=title)

    async def make_visit(self, *protocols: Any, title: str = "Visit") -> Any:
        visit = await self.desk.make_record(type="visit", title=title)
        for protocol in protocols:
            await self.connect(visit, protocol)
        return visit

    async def connect(self, visit: Any, protocol: Any, field: str = "protocols") -> Any:
        body = {"field_key": field, "target_id": protocol["id"]}
        return ok(await self.desk.contributor.post(f"/api/entities/{visit['id']}/relations", json=body))

    def try_rate(
        self, visit: Any, values: Mapping[str, Any], by: httpx.AsyncClient | None = None, **more: Any
    ) -> Any:
        body = {"criteria_set_id": self.criteria_set["id"], "values": values, **more}
        return (by or self.desk.contributor).post(f"/api/entities/{visit['id']}/responses", json=body)

    async def rate(self, visit: Any, ratings: list[tuple[Any, Any]], **more: Any) -> Any:
        values = {protocol["id"]: {"rating": rating} for protocol, rating in ratings}
        return ok(await self.try_rate(visit, values, **more))

    async def relations(self, visit: Any) -> dict[str, Any]:
        found = ok(await self.desk.reviewer.get(f"/api/entities/{visit['id']}/relations"))["data"]
        return {relation["target_id"]: relation for relation in found}

    async def refresh(self, *visits: Any) -> None:
        """As a worker does, for whom the responses left a mark."""
        workspace = self.desk.workspace
        for visit in some(visits):
            async with workspace.db.tx(workspace.system) as tx:
                marked = "SELECT count(*) FROM marks WHERE kind = 'edges.scores' AND key = $1"
                assert await tx.fetchval(marked, visit["id"])
            await refresh_edge_scores(workspace.db, workspace.system, visit["id"])

    async def ranked(self, visit: Any, **params: Any) -> Any:
        query = {"field_key": "protocols", "criteria_set_id": self.criteria_set["id"], **params}
        return ok(await self.desk.reviewer.get(f"/api/entities/{visit['id']}/relations/ranked", params=query))

    async def order(self, visit: Any, field: str = "protocols") -> list[tuple[str, Any]]:
        found = (await self.ranked(visit, field_key=field))["data"]
        return [(each["target"]["title"], each["score"]) for each in found]

    def try_outcomes(self, protocol: Any, **params: Any) -> Any:
        query = {"criteria_set_id": self.criteria_set["id"], **params}
        return self.desk.reviewer.get(f"/api/entities/{protocol['id']}/outcomes", params=query)

    async def outcomes(self, protocol: Any) -> list[Any]:
        return list(ok(await self.try_outcomes(protocol))["data"])

    async def change_set(self, **changes: Any) -> None:
        ok(await self.desk.try_change(f"/api/criteria-sets/{self.criteria_set['id']}", changes))

    async def rate_field(self, field: str | None) -> None:
        """The set rates connections through another field, or records themselves, although it was used: no route does
        that, data from elsewhere may be so."""
        workspace = self.desk.workspace
        async with workspace.db.tx(workspace.system) as tx:
            await tx.execute(
                "UPDATE criteria_sets SET scope = $2, version = version + 1, updated_at = now() WHERE id = $1",
                UUID(self.criteria_set["id"]),
                {"type": "relation", "fieldKey": field} if field else None,
            )


async def make_clinic(desk: Desk) -> Clinic:
    await desk.make_type("protocol", NAMED)
    fields = {
        "protocols": {
            "relation": {"target_type": "protocol", "multiple": True, "relationship_type": "did-protocol"}
        },
        "planned": {"relation": {"target_type": "protocol", "multiple": True}},
    }
    await desk.make_type("visit", NAMED, field_configs=fields)
    made = await desk.make_set(
        "visit-protocol-response", dimensions=[RATING, NOTE], entity_type_slugs=["visit"], scope=SCOPE
    )
    return Clinic(desk, made)
