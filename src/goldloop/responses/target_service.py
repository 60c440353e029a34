"""Looks up what a submission is about: the type of its record, and its criteria set."""

from collections import OrderedDict
from typing import NamedTuple
from uuid import UUID

from goldloop.criteria import service as criteria
from goldloop.criteria import store as criteria_store
from goldloop.criteria.defaults import default_criteria_set_slug
from goldloop.criteria.model import CriteriaSet
from goldloop.entities.model import EntityNotFound, EntityType
from goldloop.entities.types import store as types
from goldloop.kit.db import Tx
from goldloop.kit.errors import InvalidInput
from goldloop.kit.version_cache import State
from goldloop.responses import store

MOST_SEEN = 1000  # a set and a type are a few kB, and are in the caches of versions as well


class Target(NamedTuple):
    entity_type: EntityType
    criteria_set: CriteriaSet


# None for a set that records of several types were rated with: there a guess would be wrong too often.
_seen: "OrderedDict[tuple[UUID, UUID | str], Target | None]" = OrderedDict()


def likely_target(tx: Tx, set_id: UUID | None, slug: str | None) -> Target | None:
    """What the last submission with a criteria set was about, which the next one most likely is about too: nothing is asked.
    Whoever goes by it finds out when it writes, and looks it up if it was wrong. Only for sets that rate records themselves:
    with them all is known without a look at the record."""
    named = set_id or slug
    return _seen.get((tx.actor.tenant_id, named)) if named else None


def _see(tenant: UUID, named: UUID | str | None, target: Target) -> None:
    if not named or target.criteria_set.scope is not None:
        return
    key = tenant, named
    before = _seen.get(key, target)
    is_same_type = before is not None and before.entity_type.id == target.entity_type.id
    _seen[key] = target if is_same_type else None
    _seen.move_to_end(key)
    if len(_seen) > MOST_SEEN:
        _seen.popitem(last=False)


async def resolve_target(tx: Tx, entity_id: UUID, set_id: UUID | None, slug: str | None) -> Target:
    """By the set's id, by its slug, or the default set of the record's type. One round trip; definitions that
    this process parsed before are not read again."""
    row = await store.find_target(tx, entity_id, set_id, slug, default_criteria_set_slug(""))
    if row is None:
        raise EntityNotFound
    tenant = tx.actor.tenant_id
    entity_type = await types.find_state(
        tx, State(tenant, row["type_id"], row["type_version"], row["type_updated_at"])
    )
    if entity_type is None:  # deleted since, with its records
        raise EntityNotFound
    found = None
    if row["set_id"]:
        found = await criteria_store.find_state(
            tx, State(tenant, row["set_id"], row["set_version"], row["set_updated_at"])
        )
    target = Target(entity_type, await _usable(tx, entity_type, found, set_id, slug))
    _see(tenant, set_id or slug, target)
    return target


async def _usable(
    tx: Tx, entity_type: EntityType, found: CriteriaSet | None, set_id: UUID | None, slug: str | None
) -> CriteriaSet:
    default = default_criteria_set_slug(entity_type.slug)
    if (found is not None and found.slug == default) or (set_id is None and slug in (None, default)):
        return await criteria.sync_default_criteria_set(tx, entity_type, found)
    at = "/criteria_set_id" if set_id else "/criteria_set_slug"
    if found is None:
        raise InvalidInput.at(at, "criteria_set_not_found", "There is no such criteria set")
    if found.archived_at is not None:
        raise InvalidInput.at(at, "criteria_set_archived", "This criteria set is archived")
    if found.entity_type_slugs is not None and entity_type.slug not in found.entity_type_slugs:
        raise InvalidInput.at(
            at, "wrong_entity_type", f"This criteria set is not for records of type {entity_type.slug}"
        )
    return found
