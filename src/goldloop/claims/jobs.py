"""Marks a claim for recount whenever an input of its aggregate changed, or somebody else wrote its numbers. A recount
writes them with an event of its own, so it never triggers another.

A claim that many sources change at once is counted a few times, not once for each: its mark waits a moment for more.
"""

from collections.abc import Iterable
from datetime import timedelta
from uuid import UUID

from goldloop.claims import service, store
from goldloop.claims.model import QUALITY_AVG, SETTINGS, SOURCE_COUNT, ClaimSettings
from goldloop.kit.db import Tx
from goldloop.kit.events import Event, Listener, listen
from goldloop.kit.queue import enqueue, job, mark, set_marks
from goldloop.tenants.settings import service as workspace_settings

BATCH = 1000
GATHER = timedelta(seconds=5)  # of a burst of promotions on one claim, those within it are counted together


@mark("claims.aggregate", delay=GATHER)
async def recompute(tx: Tx, key: str) -> None:
    await service.recompute_claim_aggregate(tx, UUID(key))


@job("claims.repair")
async def repair(tx: Tx, *, after: str, field: str) -> None:
    """Mark every claim that is supported through a field, or was counted before; a batch, and then the next."""
    found = await store.list_claims(tx, ClaimSettings(relation_field=field), UUID(after), BATCH)
    await set_marks(tx, "claims.aggregate", [str(claim_id) for claim_id in found])
    if len(found) == BATCH:
        await enqueue(tx, "claims.repair", {"after": str(found[-1]), "field": field})


def _numbers_edited(event: Event) -> list[str]:
    return _if_numbers(event.subject_id, event.payload["fields"])


def _numbers_promoted(event: Event) -> list[str]:
    return _if_numbers(event.payload["entity_id"], event.payload["fields"])


def _if_numbers(entity_id: str, fields: Iterable[str]) -> list[str]:
    return [] if {SOURCE_COUNT, QUALITY_AVG}.isdisjoint(fields) else [entity_id]


async def is_of_source(tx: Tx, event: Event) -> bool:
    """Whether it happened to a record that claims may rest on."""
    settings = await workspace_settings.read_cached(tx, SETTINGS)
    return bool(event.payload["type"] == settings.source_type)


async def mark_claims_of_rated(tx: Tx, event: Event) -> None:
    await _mark_supported(tx, UUID(event.payload["entity_id"]))


async def mark_claims_of_removed(tx: Tx, event: Event) -> None:
    await _mark_supported(tx, UUID(event.subject_id))


async def mark_connected_claim(tx: Tx, event: Event) -> None:
    settings = await workspace_settings.read_cached(tx, SETTINGS)
    through = event.payload["source_type"], event.payload["field_key"]
    if through == (settings.source_type, settings.relation_field):
        await set_marks(tx, "claims.aggregate", [event.payload["target_id"]])


async def _mark_supported(tx: Tx, source_id: UUID) -> None:
    settings = await workspace_settings.read_cached(tx, SETTINGS)
    await set_marks(tx, "claims.aggregate", await store.supported_claims(tx, source_id, settings))


for name in ("response.promoted", "response.promotion_undone"):
    listen(name, Listener(act=mark_claims_of_rated, wants=is_of_source))
    listen(name, Listener(mark="claims.aggregate", keys=_numbers_promoted))
for name in ("relation.added", "relation.removed"):
    listen(name, Listener(act=mark_connected_claim))
listen("entity.removed", Listener(act=mark_claims_of_removed, wants=is_of_source))
listen("entity.edited", Listener(mark="claims.aggregate", keys=_numbers_edited))
