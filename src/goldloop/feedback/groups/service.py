"""Use cases of groups: read them, and decide about them. Decisions are taken back by `undo_service.py`."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from uuid import UUID

import msgspec

from goldloop.entities.records.words import terms
from goldloop.feedback.entries import review_service as reviews
from goldloop.feedback.entries import service as entries
from goldloop.feedback.entries.review_service import ReviewOutcome
from goldloop.feedback.entries.store import Wanted as WantedFeedback
from goldloop.feedback.groups import decision_store, derived_service, events, member_store, place_store, store
from goldloop.feedback.groups.decision_service import about, access_row, compare, decide, decided_before, hold
from goldloop.feedback.groups.member_store import Member
from goldloop.feedback.groups.store import GroupRow, NewGroup, Wanted
from goldloop.feedback.groups.thresholds import Label
from goldloop.feedback.model import (
    DecidedGroup,
    DismissReason,
    Feedback,
    FeedbackGroup,
    FeedbackStatus,
    GroupKind,
    GroupState,
)
from goldloop.feedback.permissions import FEEDBACK_REVIEW
from goldloop.kit.clock import now
from goldloop.kit.db import Tx
from goldloop.kit.errors import InvalidInput
from goldloop.kit.events import emit
from goldloop.kit.ids import new_id
from goldloop.kit.pagination import LAST_ID, NO_ROWS, RawPage, decode_pair

ESCALATION = 2  # origins more, from which on a group comes back
MOST_REVIEWED = 2000  # members that one statement reviews
MOST_ANSWERED = 100  # members that were reviewed, which the answer shows
MOST_BEFORE = 50  # members that were reviewed before, which a review of the rest tells of
MOST_WEIGHED = 200  # members of a side, the newest, among which a decision looks for wording to compare
NOT_ONE_MATTER = {DismissReason.NOISE, DismissReason.ONE_OFF}  # the others were rightly together


async def access(tx: Tx, group_id: UUID) -> FeedbackGroup:
    return _with_trend(await access_row(tx, group_id))


async def hold_standing(tx: Tx, group_id: UUID) -> FeedbackGroup:
    """A group, or the one that it was merged into in the end; nobody changes any until the transaction ends."""
    tx.actor.check(FEEDBACK_REVIEW)
    await decision_store.lock(tx)
    await access_row(tx, group_id)
    return await access(tx, await store.find_standing(tx, group_id))


async def hold_all(tx: Tx) -> None:
    """Nobody changes a group until the transaction ends."""
    tx.actor.check(FEEDBACK_REVIEW)
    await decision_store.lock(tx)


async def list_groups(
    tx: Tx, wanted: Wanted, agent: str | None, words: str | None, cursor: str | None, limit: int
) -> RawPage[FeedbackGroup]:
    """What came back first, then by how alike and by how many. `agent` is a slug or an id, `words` are of its members."""
    tx.actor.check(FEEDBACK_REVIEW)
    if agent is not None:
        found = await entries.find_agent(tx, agent)
        if found is None:
            return NO_ROWS
        wanted = wanted._replace(agent_id=found)
    wanted = wanted._replace(terms=tuple(terms(words or "")))
    before = decode_pair(cursor, float) or (float("inf"), LAST_ID)
    return await store.list_in_order(tx, wanted, before, _trend_days(), limit)


def _trend_days() -> list[str]:
    today = now().astimezone(UTC).date()
    return [
        (today - timedelta(days=each)).isoformat() for each in reversed(range(derived_service.TREND_DAYS))
    ]


def _with_trend(row: GroupRow) -> FeedbackGroup:
    return msgspec.structs.replace(row.group, days=[row.by_day.get(day, 0) for day in _trend_days()])


async def list_members(
    tx: Tx, group_id: UUID, near: bool, cursor: str | None, limit: int
) -> RawPage[Feedback]:
    """Newest first; `near` are those that may belong to it as well."""
    tx.actor.check(FEEDBACK_REVIEW)
    wanted = WantedFeedback(near_group_id=group_id) if near else WantedFeedback(group_id=group_id)
    rows = await entries.list_feedback(tx, wanted, None, None, cursor, limit)
    if rows.is_empty:  # a group of something is there
        await access_row(tx, group_id)
    return rows


class GroupReview(NamedTuple):
    """`outcomes` are of the first that were reviewed now, and of the last before; `done` are all. `decision_id` is null where
    nothing waited."""

    outcomes: list[ReviewOutcome]
    done: int
    decision_id: UUID | None


async def review(tx: Tx, group_id: UUID, status: FeedbackStatus, notes: str | None) -> GroupReview:
    """Review those members that wait, with one note, however many they are. The answer also has the last that were reviewed
    before: whoever comes second learns who was first."""
    threshold = await decision_store.lock(tx)
    found = await access_row(tx, group_id)
    decision_id = new_id()
    done = await _review_all(tx, group_id, status, notes, decision_id)
    if done:
        await decide(tx, found, "review", decision_id=decision_id, note=notes)
    before = await member_store.list_reviewed_before(tx, group_id, decision_id, MOST_BEFORE)
    outcomes = await reviews.tell_outcomes(tx, [*done[:MOST_ANSWERED], *before], set(done))
    await derived_service.refresh(tx, group_id, threshold)
    return GroupReview(outcomes, len(done), decision_id if done else None)


async def _review_all(
    tx: Tx, group_id: UUID, status: FeedbackStatus, notes: str | None, decision_id: UUID
) -> list[UUID]:
    done: list[UUID] = []
    while waiting := await member_store.list_pending(tx, group_id, MOST_REVIEWED):
        done += [row.id for row in await reviews.review_rows(tx, waiting, status, notes, decision_id)]
    return done


async def dismiss(tx: Tx, group_id: UUID, reason: DismissReason, note: str | None) -> DecidedGroup:
    """With its members that wait. It comes back when two more origins join it."""
    threshold, found = await hold(tx, group_id)
    label = None
    if found.group.kind is GroupKind.WORDING and found.group.cohesion is not None:
        label = Label(found.group.cohesion, reason not in NOT_ONE_MATTER)
    decision = await decide(tx, found, "dismiss", reason=reason, note=note, label=label)
    await store.set_decided(tx, group_id, GroupState.DISMISSED, decision, found.group.origins + ESCALATION)
    words = f"{reason.replace('_', ' ')}: {note}" if note else reason.replace("_", " ")
    await _review_all(tx, group_id, FeedbackStatus.DISMISSED, words, decision.id)
    await derived_service.refresh(tx, group_id, threshold)
    payload = events.GroupDismissed(**msgspec.structs.asdict(about(found)), reason=reason)
    await emit(tx, events.DISMISSED.of(group_id, payload))
    return await _decided(tx, group_id, decision.id)


async def snooze(tx: Tx, group_id: UUID, note: str | None) -> DecidedGroup:
    """Until two more origins join it; its members wait on."""
    threshold, found = await hold(tx, group_id)
    decision = await decide(tx, found, "snooze", note=note)
    await store.set_decided(tx, group_id, GroupState.SNOOZED, decision, found.group.origins + ESCALATION)
    await derived_service.refresh(tx, group_id, threshold)
    await emit(tx, events.SNOOZED.of(group_id, about(found)))
    return await _decided(tx, group_id, decision.id)


async def merge(tx: Tx, group_id: UUID, into: UUID, note: str | None) -> DecidedGroup:
    """Two groups are one. The answer is the one that stays."""
    if group_id == into:
        raise InvalidInput.at("/into", "same_group", "A group is merged into another one")
    threshold, found = await hold(tx, group_id)
    target = await access_row(tx, into)
    if target.group.state is GroupState.MERGED:
        raise decided_before(target.group)
    if target.group.rating is not found.group.rating:
        raise InvalidInput.at("/into", "other_rating", "Praise and complaints are not merged")
    label = await compare(
        tx, found, await _members(tx, group_id), await _members(tx, into), is_one_matter=True
    )
    decision = await decide(tx, found, "merge", other_id=into, note=note, label=label)
    await decision_store.keep_places_of_group(tx, decision.id, group_id)
    await place_store.move_all(tx, group_id, into)
    await store.set_decided(tx, group_id, GroupState.MERGED, decision, merged_into=into)
    await derived_service.refresh(tx, into, threshold)
    payload = events.GroupMerged(**msgspec.structs.asdict(about(found)), merged_into_id=into)
    await emit(tx, events.MERGED.of(group_id, payload))
    return await _decided(tx, into, decision.id)


async def add(tx: Tx, group_id: UUID, ids: Sequence[UUID], note: str | None) -> DecidedGroup:
    """Put feedback into a group, whatever it was in: what may belong to it does, or what was taken out of it comes back."""
    threshold, found = await hold(tx, group_id)
    rows = await place_store.list_to_add(tx, ids)
    for wrong, problem, words in (
        (len(rows) < len(set(ids)), "not_found", "Some of these are not there"),
        (any(row.rating is not found.group.rating for row in rows), "other_rating", "Praise and complaints are not put together"),
        (not all(row.is_placed for row in rows), "not_placed", "Some of these have just come, and are looked at first"),
    ):  # fmt: skip
        if wrong:
            raise InvalidInput.at("/ids", problem, words)
    new = [row for row in rows if row.group_id != group_id]
    if not new:
        return await _decided(tx, group_id, None)
    decision_id, added = new_id(), [row.id for row in new]
    members = await _members(tx, group_id)
    await decision_store.keep_places(tx, decision_id, added)
    await place_store.put_in(tx, added, group_id)
    label = await compare(tx, found, await _members(tx, group_id, added), members, is_one_matter=True)
    await decide(tx, found, "add", decision_id=decision_id, note=note, label=label)
    before = {row.group_id for row in new if row.group_id}
    for each in sorted(before | {group_id}):
        await derived_service.refresh(tx, each, threshold)
    payload = events.GroupAdded(
        **msgspec.structs.asdict(about(found)), added=len(new), from_ids=sorted(before)
    )
    await emit(tx, events.ADDED.of(group_id, payload))
    return await _decided(tx, group_id, decision_id)


class Split(NamedTuple):
    """`group` is what was taken out, null for a single one."""

    group: FeedbackGroup | None
    decision_id: UUID


async def split(tx: Tx, group_id: UUID, ids: Sequence[UUID], note: str | None) -> Split:
    """Take members out: two or more are a group of their own; one is alone. They stay apart."""
    threshold, found = await hold(tx, group_id)
    apart = await _members(tx, group_id, ids)
    if len(apart) < len(set(ids)):
        raise InvalidInput.at("/ids", "not_members", "Some of these are not members of this group")
    if len(apart) == (await member_store.count_members(tx, group_id)).members:
        raise InvalidInput.at("/ids", "all_members", "Something has to stay in the group")
    taken = [member.id for member in apart]
    rest = [member for member in await _members(tx, group_id) if member.id not in set(taken)]
    label = await compare(tx, found, apart, rest, is_one_matter=False)
    new_group = new_id() if len(apart) > 1 else None
    decision = await decide(tx, found, "split", other_id=new_group, note=note, label=label)
    if new_group is not None:
        await store.insert(tx, _like(found, new_group, decision.at))
    await decision_store.keep_places(tx, decision.id, taken)
    await place_store.take_out(tx, group_id, taken, new_group)
    for each in (group_id, *([new_group] if new_group else [])):
        await derived_service.refresh(tx, each, threshold)
    payload = events.GroupSplit(
        **msgspec.structs.asdict(about(found)), new_group_id=new_group or msgspec.UNSET
    )
    await emit(tx, events.SPLIT.of(group_id, payload))
    return Split(await access(tx, new_group) if new_group else None, decision.id)


def _like(found: GroupRow, group_id: UUID, at: datetime) -> NewGroup:
    """A group about the same as another."""
    group = found.group
    return NewGroup(
        id=group_id,
        kind=group.kind,
        rating=group.rating,
        block=found.block,
        key=group.key,
        agent_id=group.agent_id,
        entity_type=group.entity_type,
        template=None,
        at=at,
    )


async def _decided(tx: Tx, group_id: UUID, decision_id: UUID | None) -> DecidedGroup:
    group = await access(tx, group_id)
    return DecidedGroup(**msgspec.structs.asdict(group), decision_id=decision_id)


async def _members(tx: Tx, group_id: UUID, ids: Sequence[UUID] | None = None) -> list[Member]:
    return await member_store.list_members(tx, group_id, MOST_WEIGHED if ids is None else len(ids), ids)
