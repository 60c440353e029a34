"""Use cases of responses over all records: list and count them, and assign them to whoever is to review them."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from goldloop.criteria import store as criteria
from goldloop.criteria.errors import CriteriaSetNotFound
from goldloop.entities.model import EntityTypeNotFound
from goldloop.entities.permissions import ENTITIES_READ
from goldloop.entities.types import store as types
from goldloop.kit.db import ActorKind, Tx
from goldloop.kit.errors import InvalidInput
from goldloop.kit.events import emit_all
from goldloop.kit.pagination import LAST_ID, LAST_TIME, RawPage, decode_pair
from goldloop.responses import events, queue_store
from goldloop.responses.model import (
    Assignment,
    ListedResponse,
    ResponseCount,
    ResponsesNotFound,
    ResponseStatus,
)
from goldloop.responses.permissions import RESPONSES_READ, RESPONSES_REVIEW
from goldloop.tenants import roles
from goldloop.tenants.members import store as members
from goldloop.tenants.model import Party
from goldloop.tenants.parties.store import find_parties

MOST_COUNTED = 10_000  # responses of a list: more are told apart by nobody, and cost their time at each look
ME = "me"


class Filter(NamedTuple):
    """As a request says it: `criteria_set` is an id or a slug, `submitted_by` is `person`, `agent` or an id,
    `assigned_to` an id, `me` or `nobody`."""

    status: ResponseStatus | None = None
    type: str | None = None
    criteria_set: str | None = None
    submitted_by: str | None = None
    assigned_to: str | None = None
    promotable: bool | None = None
    since: datetime | None = None
    until: datetime | None = None


async def list_responses(tx: Tx, wanted: Filter, cursor: str | None, limit: int) -> RawPage[ListedResponse]:
    """Newest first."""
    _check_may_read(tx)
    before = decode_pair(cursor, datetime) or (LAST_TIME, LAST_ID)
    rows = await queue_store.list_newest_first(tx, await _resolve(tx, wanted), before, limit)
    if rows.is_empty:
        await _check_type(tx, wanted)
    return rows


async def count_responses(tx: Tx, wanted: Filter) -> ResponseCount:
    """How many a list has, as far as counting is cheap."""
    _check_may_read(tx)
    count = await queue_store.count(tx, await _resolve(tx, wanted), MOST_COUNTED + 1)
    if not count:
        await _check_type(tx, wanted)
    return ResponseCount(count=min(count, MOST_COUNTED), more=count > MOST_COUNTED)


async def export_columns(tx: Tx, wanted: Filter) -> list[str] | None:
    """The dimensions of the criteria set that all are of; None where they may be of several."""
    _check_may_read(tx)
    await _check_type(tx, wanted)
    resolved = await _resolve(tx, wanted)
    found = await criteria.find(tx, resolved.set_id) if resolved.set_id else None
    return [dimension.key for dimension in found.dimensions] if found else None


async def assign(tx: Tx, ids: Sequence[UUID], entity_ids: Sequence[UUID], user_id: UUID | None) -> Assignment:
    """All of them or none, to a member who may review them, or to nobody; with `entity_ids` also what waits of these
    records, those that are gone left out, and as many as one transaction bears."""
    _check_may_read(tx)
    tx.actor.check(RESPONSES_REVIEW)
    if not ids and not entity_ids:
        raise InvalidInput.at("/ids", "required", "Name responses, or records whose responses wait")
    to = await _reviewer(tx, user_id) if user_id is not None else None
    if missing := set(ids) - await queue_store.existing(tx, ids):
        raise ResponsesNotFound(f"There is no response {', '.join(sorted(map(str, missing)))}")
    most = queue_store.MOST_ASSIGNED
    waiting = await queue_store.waiting_of(tx, entity_ids, user_id, most + 1) if entity_ids else []
    changed = await _assign(tx, [*ids, *waiting[:most]], user_id)
    return Assignment(assigned_to=to, changed=changed, more=len(waiting) > most)


async def free_assigned(tx: Tx, user_id: UUID, limit: int) -> bool:
    """Whoever has left, or may not review any more, reviews nothing: what was theirs is nobody's. A batch; whether
    something may be left."""
    if await _may_review(tx, user_id):
        return False
    theirs = await queue_store.assigned_to(tx, user_id, limit)
    await _assign(tx, theirs, None)
    return len(theirs) == limit


async def _may_review(tx: Tx, user_id: UUID) -> bool:
    member = await members.hold(tx, user_id)
    return member is not None and roles.permissions(member.role).allow(RESPONSES_REVIEW)


async def _assign(tx: Tx, ids: Sequence[UUID], user_id: UUID | None) -> list[UUID]:
    changed = await queue_store.assign(tx, ids, user_id) if ids else []
    happened = [
        events.ASSIGNED.of(
            response_id,
            events.OfAssignment(entity_id=entity_id, response_id=response_id, assigned_to=user_id),
        )
        for response_id, entity_id in changed
    ]
    if happened:
        await emit_all(tx, happened)
    return [response_id for response_id, _ in changed]


async def _reviewer(tx: Tx, user_id: UUID) -> Party:
    member = await members.hold(tx, user_id)
    if member is None:
        raise InvalidInput.at("/user_id", "member_not_found", "There is no such member in this workspace")
    if not roles.permissions(member.role).allow(RESPONSES_REVIEW):
        raise InvalidInput.at(
            "/user_id", "cannot_review", f"The role {member.role} does not review: reviewers and admins do"
        )
    return Party(kind="user", id=member.user_id, name=member.name)


async def _check_type(tx: Tx, wanted: Filter) -> None:
    """What has a response is there: a list asks only where nothing was found."""
    if wanted.type is not None and await types.find(tx, wanted.type) is None:
        raise EntityTypeNotFound


async def _resolve(tx: Tx, wanted: Filter) -> queue_store.Wanted:
    agents = {"person": False, "agent": True}.get(wanted.submitted_by or "")
    by = _id("submitted_by", wanted.submitted_by, "person, agent") if agents is None else None
    user, agent = await _submitters(tx, by)
    return queue_store.Wanted(
        status=wanted.status,
        type=wanted.type,
        set_id=await _set_id(tx, wanted.criteria_set) if wanted.criteria_set is not None else None,
        agents=agents,
        user=user,
        agent=agent,
        assigned_to=_assignee(tx, wanted.assigned_to),
        waits=wanted.promotable,
        since=wanted.since,
        until=wanted.until,
    )


async def _submitters(tx: Tx, party_id: UUID | None) -> tuple[UUID | None, UUID | None]:
    """The person and the agent of an id: one of them, or both where they are namesakes."""
    if party_id is None:
        return None, None
    found = await find_parties(tx, [("user", party_id), ("agent", party_id)])
    is_user, is_agent = (found[kind, party_id].name is not None for kind in ("user", "agent"))
    return party_id if is_user or not is_agent else None, party_id if is_agent else None


async def _set_id(tx: Tx, named: str) -> UUID:
    try:
        found = await criteria.find(tx, UUID(named))
    except ValueError:
        found = await criteria.find_by_slug(tx, named)
    if found is None:
        raise CriteriaSetNotFound
    return found.id


def _assignee(tx: Tx, named: str | None) -> UUID | str | None:
    if named == queue_store.NOBODY:
        return named
    if named == ME:
        if tx.actor.kind is not ActorKind.USER or tx.actor.id is None:
            raise InvalidInput.at("/assigned_to", "not_a_person", "Responses are assigned to people alone")
        return tx.actor.id
    return _id("assigned_to", named, "me, nobody")


def _id(name: str, value: str | None, words: str) -> UUID | None:
    if value is None:
        return None
    try:
        return UUID(value)
    except ValueError as error:
        raise InvalidInput.at(f"/{name}", "invalid_value", f"This is {words} or an id") from error


def _check_may_read(tx: Tx) -> None:
    tx.actor.check(RESPONSES_READ)
    tx.actor.check(ENTITIES_READ)
