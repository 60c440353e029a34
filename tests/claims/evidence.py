"""Sources that support claims, and how good they are found to be."""

from dataclasses import dataclass
from typing import Any

from goldloop.claims.jobs import recompute
from tests.records import Desk, ok

CLAIM: dict[str, Any] = {
    "type": "object",
    "properties": {
        "statement": {"type": "string"},
        "source_count": {"type": "integer", "minimum": 0},
        "source_quality_avg": {"type": ["number", "null"]},
    },
}
SOURCE = {"type": "object", "properties": {"rigor": {"type": "number"}, "relevance": {"type": "number"}}}
QUALITY = [
    {"key": key, "label": key.title(), "type": "rating", "scale": [0, 10], "weight": 1}
    for key in ("rigor", "relevance")
]
SUPPORTS = {"supports": {"relation": {"target_type": "claim", "multiple": True}}}
OF_CLAIMS = "WHERE kind = 'claims.aggregate' AND tenant_id = $1"  # workers see the marks of all


@dataclass
class Evidence:
    desk: Desk

    async def make_claim(self, **content: Any) -> Any:
        return await self.desk.make_record(content, type="claim", title="Claim")

    async def make_source(self, *claims: Any, title: str = "Source") -> Any:
        source = await self.desk.make_record(type="source-item", title=title)
        for claim in claims:
            await self.support(source, claim)
        return source

    async def support(self, source: Any, claim: Any) -> Any:
        body = {"field_key": "supports", "target_id": claim["id"]}
        return ok(await self.desk.contributor.post(f"/api/entities/{source['id']}/relations", json=body))

    async def rate(self, source: Any, rigor: float, relevance: float, promoted: bool = True) -> Any:
        values = {"rigor": rigor, "relevance": relevance}
        made = await self.desk.submit(source, values, criteria_set_slug="evidence-quality")
        return await self.desk.promote(made, "rigor") if promoted else made

    async def marked(self) -> set[str]:
        async with self.desk.workspace.db.tx(self.desk.workspace.system) as tx:
            return {
                row["key"] for row in await tx.fetch(f"SELECT key FROM marks {OF_CLAIMS}", tx.actor.tenant_id)
            }

    async def catch_up(self) -> None:
        """As the workers do, whatever is marked here."""
        async with self.desk.workspace.db.tx(self.desk.workspace.system) as tx:
            for row in await tx.fetch(f"SELECT DISTINCT key FROM marks {OF_CLAIMS}", tx.actor.tenant_id):
                await recompute(tx, row["key"])
            await tx.execute(f"DELETE FROM marks {OF_CLAIMS}", tx.actor.tenant_id)

    async def aggregate(self, claim: Any) -> tuple[Any, Any]:
        await self.catch_up()
        content = (await self.desk.show(claim))["content"]
        return content.get("source_count"), content.get("source_quality_avg")


async def make_evidence(desk: Desk) -> Evidence:
    await desk.make_type("claim", CLAIM)
    await desk.make_type("source-item", SOURCE, field_configs=SUPPORTS)
    await desk.make_set("evidence-quality", dimensions=QUALITY, entity_type_slugs=["source-item"])
    return Evidence(desk)
