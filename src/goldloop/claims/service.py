"""Use cases: recompute the aggregates of claims, and list sources and supported claims."""

from datetime import datetime, timedelta
from uuid import UUID

from goldloop.claims import events, store
from goldloop.claims.model import (
    QUALITY_AVG,
    SETTINGS,
    SOURCE_COUNT,
    Aggregate,
    ClaimSettings,
    ClaimSources,
    RefusedBySchema,
    SupportedClaim,
)
from goldloop.criteria import store as criteria_store
from goldloop.entities.model import Entity
from goldloop.entities.permissions import ENTITIES_READ, ENTITY_TYPES_MANAGE
from goldloop.entities.records import service as records
from goldloop.entities.records import store as record_store
from goldloop.entities.types import store as type_store
from goldloop.entities.validation.service import check_content
from goldloop.kit.clock import now
from goldloop.kit.db import Tx
from goldloop.kit.errors import Fault, InvalidInput
from goldloop.kit.events import NOTHING, emit
from goldloop.kit.pagination import FIRST_ID, Page, decode_cursor, page
from goldloop.kit.queue import enqueue
from goldloop.responses.permissions import RESPONSES_READ
from goldloop.tenants.settings import service as workspace_settings


async def read_settings(tx: Tx) -> ClaimSettings:
    tx.actor.check(ENTITIES_READ)
    return await workspace_settings.read(tx, SETTINGS)


async def change_settings(tx: Tx, settings: ClaimSettings) -> ClaimSettings:
    """Claims by the old names and by the new ones are counted anew; the new ones once more when no process can still
    go by the old names."""
    tx.actor.check(ENTITY_TYPES_MANAGE)
    await _check(tx, settings)
    await repair(tx)
    await workspace_settings.write(tx, SETTINGS, settings)
    await repair(tx)
    await repair(tx, run_at=now() + timedelta(seconds=2 * workspace_settings.SECONDS_KNOWN))
    await emit(tx, events.SETTINGS_CHANGED.of(tx.actor.tenant_id, NOTHING))
    return settings


async def _check(tx: Tx, settings: ClaimSettings) -> None:
    """What is named must be there: by a word that means nothing every claim would have no sources."""
    faults: list[Fault] = []
    source_type = await type_store.find(tx, settings.source_type)
    if source_type is None:
        faults.append(
            _fault("/source_type", "unknown_type", f"There is no entity type {settings.source_type}")
        )
    elif not (source_type.field_configs.get(settings.relation_field) or {}).get("relation"):
        message = f"{settings.relation_field!r} is not a relation field of {settings.source_type}"
        faults.append(_fault("/relation_field", "not_a_relation", message))
    criteria_set = await criteria_store.find_by_slug(tx, settings.criteria_set)
    if criteria_set is None:
        message = f"There is no criteria set {settings.criteria_set}"
        faults.append(_fault("/criteria_set", "criteria_set_not_found", message))
    elif criteria_set.is_relation_scoped:
        message = "Sources are rated with a set that rates records, not their connections"
        faults.append(_fault("/criteria_set", "relation_scoped", message))
    if faults:
        raise InvalidInput(errors=faults)


def _fault(path: str, code: str, message: str) -> Fault:
    return Fault(path=path, code=code, message=message)


async def repair(tx: Tx, *, run_at: datetime | None = None) -> None:
    """Count every claim of the workspace anew."""
    settings = await workspace_settings.read(tx, SETTINGS)
    payload = {"after": str(FIRST_ID), "field": settings.relation_field}
    await enqueue(tx, "claims.repair", payload, run_at=run_at)


async def recompute_claim_aggregate(tx: Tx, claim_id: UUID) -> bool:
    """Count a claim's sources and their quality anew, under its row lock and by a schema that stays. False where nothing
    changed, or the claim is gone; raises where the claim's schema refuses the numbers."""
    await record_store.lock(tx, claim_id)
    claim = await record_store.find(tx, claim_id)
    if claim is None:
        return False
    found = await _count(tx, claim_id, await workspace_settings.read(tx, SETTINGS))
    if found is None:
        return False
    await type_store.lock_shared(tx, claim.type)
    if fault := await _find_refusal(tx, claim, found):
        raise RefusedBySchema(f"{claim.title}: {fault.path} {fault.message}")
    if not await store.apply(tx, claim_id, found):
        return False
    aggregated = events.Aggregated(
        source_count=found.source_count,
        source_quality_avg=found.source_quality_avg,
        version=claim.version + 1,
    )
    await emit(tx, events.AGGREGATED.of(claim_id, aggregated))
    return True


async def list_sources(tx: Tx, claim_id: UUID, cursor: str | None, limit: int) -> ClaimSources:
    tx.actor.check(ENTITIES_READ)
    tx.actor.check(RESPONSES_READ)
    claim = await records.access(tx, claim_id)
    settings = await workspace_settings.read(tx, SETTINGS)
    after = decode_cursor(cursor, UUID) or FIRST_ID
    rows = await store.list_sources(tx, claim_id, settings, after, limit + 1)
    found = await _count(tx, claim_id, settings)
    shown = page(rows, limit, lambda source: source.id)
    return ClaimSources(
        data=shown.data,
        next_cursor=shown.next_cursor,
        refused=None if found is None else await _find_refusal(tx, claim, found),
    )


async def _count(tx: Tx, claim_id: UUID, settings: ClaimSettings) -> Aggregate | None:
    """None for what was never supported: it is no claim, or not yet, and fields of these names are its own."""
    found = await store.aggregate(tx, claim_id, settings)
    if found.source_count == 0 and not await store.was_counted(tx, claim_id):
        return None
    return found


async def _find_refusal(tx: Tx, claim: Entity, found: Aggregate) -> Fault | None:
    """The first thing that the schema of the claim's type says against the numbers."""
    entity_type = await records.access_type(tx, claim.type)
    numbers = {SOURCE_COUNT: found.source_count, QUALITY_AVG: found.source_quality_avg}
    content = {**claim.content, **numbers}
    faults = await check_content(tx.actor.tenant_id, entity_type.json_schema, content)
    return faults[0] if faults else None


async def list_supported(tx: Tx, source_id: UUID, cursor: str | None, limit: int) -> Page[SupportedClaim]:
    """None for a record that is no source by the workspace's settings."""
    tx.actor.check(ENTITIES_READ)
    source = await records.access(tx, source_id)
    settings = await workspace_settings.read(tx, SETTINGS)
    if source.type != settings.source_type:
        return Page(data=[], next_cursor=None)
    after = decode_cursor(cursor, UUID) or FIRST_ID
    rows = await store.list_supported(tx, source_id, settings, after, limit + 1)
    return page(rows, limit, lambda claim: claim.id)
