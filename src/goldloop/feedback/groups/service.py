"""Use cases of groups: read them, and decide about them. What people decide stays, and moves the workspace's threshold."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
import numpy as np

from goldloop.entities.records.words import terms
from goldloop.feedback.entries import service as entries
from goldloop.feedback.entries.service import ReviewOutcome
from goldloop.feedback.entries.store import Wanted as WantedFeedback
from goldloop.feedback.groups import decision_store, derived_service, events, member_store, place_store, store
from goldloop.feedback.groups.decision_store import Decision
from goldloop.feedback.groups.member_store import Member
from goldloop.feedback.groups.store import GroupRow, NewGroup, Wanted
from goldloop.feedback.groups.thresholds import Label, refit
from goldloop.feedback.groups.wording import Corpus, own_words
from goldloop.feedback.model import (
    DismissReason,
    Feedback,
    FeedbackGroup,
    FeedbackStatus,
    GroupDecided,
    GroupKind,
    GroupNotFound,
    GroupState,
)
from goldloop.feedback.permissions import FEEDBACK_REVIEW
from goldloop.kit.clock import now
from goldloop.kit.db import Tx
from goldloop.kit.errors import InvalidInput
from goldloop.kit.events import emit
from goldloop.kit.ids import new_id
from goldloop.kit.pagination import LAST_ID, Page, decode_pair, encode_pair

ESCALATION = 2  # origins more, from which on a group comes back
MOST_REVIEWED = 2000  # members of a group that one decision reviews
MOST_BEFORE = 50  # members that were reviewed before, which a review of the rest tells of
MOST_COMPARED = 40  # members of each side whose wording a decision says something about
NOT_ONE_MATTER = {DismissReason.NOISE, DismissReason.ONE_OFF}  # the others were rightly together


async def access(tx: Tx, group_id: UUID) -> FeedbackGroup:
    return _with_trends([await _access(tx, group_id)])[0]


async def _access(tx: Tx, group_id: UUID) -> GroupRow:
    tx.actor.check(FEEDBACK_REVIEW)
    found = await store.find(tx, group_id)
    if found is None:
        raise GroupNotFound
    return found


async def list_groups(
    tx: Tx, wanted: Wanted, agent: str | None, words: str | None, cursor: str | None, limit: int
) -> Page[FeedbackGroup]:
    """What came back first, then by how alike and by how many. `agent` is a slug or an id, `words` are of its members."""
    tx.actor.check(FEEDBACK_REVIEW)
    if agent is not None:
        found = await entries.find_agent(tx, agent)
        if found is None:
            return Page(data=[], next_cursor=None)
        wanted = wanted._replace(agent_id=found)
    wanted = wanted._replace(terms=tuple(terms(words or "")))
    before = decode_pair(cursor, float) or (float("inf"), LAST_ID)
    rows = await store.list_in_order(tx, wanted, before, limit + 1)
    shown = rows[:limit]
    last = encode_pair(shown[-1].weight, shown[-1].group.id) if len(rows) > limit else None
    return Page(data=_with_trends(shown), next_cursor=last)


def _with_trends(rows: Sequence[GroupRow]) -> list[FeedbackGroup]:
    today = now().astimezone(UTC).date()
    back = reversed(range(derived_service.TREND_DAYS))
    days = [(today - timedelta(days=each)).isoformat() for each in back]
    return [msgspec.structs.replace(row.group, days=[row.by_day.get(day, 0) for day in days]) for row in rows]


async def list_members(tx: Tx, group_id: UUID, near: bool, cursor: str | None, limit: int) -> Page[Feedback]:
    """Newest first; `near` are those that may belong to it as well."""
    await _access(tx, group_id)
    wanted = WantedFeedback(near_group_id=group_id) if near else WantedFeedback(group_id=group_id)
    return await entries.list_feedback(tx, wanted, None, None, cursor, limit)


async def review(tx: Tx, group_id: UUID, status: FeedbackStatus, notes: str | None) -> list[ReviewOutcome]:
    """Review those members that wait, with one note. The answer also has the last that were reviewed before: whoever comes
    second learns who was first."""
    threshold = await decision_store.lock(tx)
    await _access(tx, group_id)
    waiting = await member_store.list_pending(tx, group_id, MOST_REVIEWED)
    before = await member_store.list_last_reviewed(tx, group_id, MOST_BEFORE)
    outcomes = await entries.review_many(tx, [*waiting, *before], status, notes)
    await derived_service.refresh(tx, group_id, threshold)
    return outcomes


async def dismiss(tx: Tx, group_id: UUID, reason: DismissReason, note: str | None) -> FeedbackGroup:
    """With its members that wait. It comes back when two more origins join it."""
    threshold, found = await _hold(tx, group_id)
    label = None
    if found.group.kind is GroupKind.WORDING and found.group.cohesion is not None:
        label = Label(found.group.cohesion, reason not in NOT_ONE_MATTER)
    decision = await _decide(tx, found, "dismiss", reason=reason, note=note, label=label)
    await store.set_decided(tx, group_id, GroupState.DISMISSED, decision, found.group.origins + ESCALATION)
    waiting = await member_store.list_pending(tx, group_id, MOST_REVIEWED)
    words = f"{reason.replace('_', ' ')}: {note}" if note else reason.replace("_", " ")
    await entries.review_many(tx, waiting, FeedbackStatus.DISMISSED, words, decision.id)
    await derived_service.refresh(tx, group_id, threshold)
    about = msgspec.structs.asdict(_about(found))
    await emit(tx, events.DISMISSED.of(group_id, events.GroupDismissed(**about, reason=reason)))
    return await access(tx, group_id)


async def snooze(tx: Tx, group_id: UUID, note: str | None) -> FeedbackGroup:
    """Until two more origins join it; its members wait on."""
    threshold, found = await _hold(tx, group_id)
    decision = await _decide(tx, found, "snooze", note=note)
    await store.set_decided(tx, group_id, GroupState.SNOOZED, decision, found.group.origins + ESCALATION)
    await derived_service.refresh(tx, group_id, threshold)
    await emit(tx, events.SNOOZED.of(group_id, _about(found)))
    return await access(tx, group_id)


async def reopen(tx: Tx, group_id: UUID) -> FeedbackGroup:
    """Take back that it was dismissed, snoozed or merged: members that the dismissal reviewed wait again, and what the merge
    moved comes back."""
    threshold = await decision_store.lock(tx)
    found = await _access(tx, group_id)
    if found.group.state is GroupState.OPEN:
        raise _decided(found.group)
    before = found.decision_id
    decision = await _decide(tx, found, "reopen", takes_back=before)
    if found.group.state is GroupState.MERGED and before is not None:
        standing = await store.find_standing(tx, group_id)
        await place_store.move_back(tx, await decision_store.list_moved(tx, before), standing, group_id)
        await derived_service.refresh(tx, standing, threshold)
    await store.set_decided(tx, group_id, GroupState.OPEN, decision)
    if before is not None:
        await entries.reopen_many(tx, await member_store.list_decided(tx, group_id, before), before)
    await derived_service.refresh(tx, group_id, threshold)
    await emit(tx, events.REOPENED.of(group_id, _about(found)))
    return await access(tx, group_id)


async def merge(tx: Tx, group_id: UUID, into: UUID, note: str | None) -> FeedbackGroup:
    """Two groups are one. The answer is the one that stays."""
    if group_id == into:
        raise InvalidInput.at("/into", "same_group", "A group is merged into another one")
    threshold, found = await _hold(tx, group_id)
    target = await _access(tx, into)
    if target.group.state is GroupState.MERGED:
        raise _decided(target.group)
    if target.group.rating is not found.group.rating:
        raise InvalidInput.at("/into", "other_rating", "Praise and complaints are not merged")
    one, other = await _members(tx, group_id), await _members(tx, into)
    label = await _label(tx, found, one, other, is_one_matter=True)
    moved = await place_store.move_all(tx, group_id, into)
    decision = await _decide(tx, found, "merge", other_id=into, note=note, label=label, moved=moved)
    await store.set_decided(tx, group_id, GroupState.MERGED, decision, merged_into=into)
    await derived_service.refresh(tx, into, threshold)
    about = msgspec.structs.asdict(_about(found))
    await emit(tx, events.MERGED.of(group_id, events.GroupMerged(**about, merged_into_id=into)))
    return await access(tx, into)


async def add(tx: Tx, group_id: UUID, ids: Sequence[UUID], note: str | None) -> FeedbackGroup:
    """Put feedback into a group, whatever it was in: what may belong to it does, or what was taken out of it comes back."""
    threshold, found = await _hold(tx, group_id)
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
        return await access(tx, group_id)
    members = await _members(tx, group_id)
    await place_store.put_in(tx, [row.id for row in new], group_id)
    wanted = {row.id for row in new}
    added = [member for member in await _members(tx, group_id) if member.id in wanted]
    await _decide(
        tx, found, "add", note=note, label=await _label(tx, found, added, members, is_one_matter=True)
    )
    for each in sorted({row.group_id for row in new if row.group_id} | {group_id}):
        await derived_service.refresh(tx, each, threshold)
    about = msgspec.structs.asdict(_about(found))
    await emit(tx, events.ADDED.of(group_id, events.GroupAdded(**about, added=len(new))))
    return await access(tx, group_id)


async def split(tx: Tx, group_id: UUID, ids: Sequence[UUID], note: str | None) -> FeedbackGroup | None:
    """Take members out: two or more are a group of their own, which is the answer; one is alone. They stay apart."""
    threshold, found = await _hold(tx, group_id)
    members = await _members(tx, group_id)
    wanted = set(ids)
    apart = [member for member in members if member.id in wanted]
    if len(apart) < len(wanted):
        raise InvalidInput.at("/ids", "not_members", "Some of these are not members of this group")
    if len(apart) == len(members):
        raise InvalidInput.at("/ids", "all_members", "Something has to stay in the group")
    rest = [member for member in members if member.id not in wanted]
    label = await _label(tx, found, apart, rest, is_one_matter=False)
    new_group = new_id() if len(apart) > 1 else None
    decision = await _decide(tx, found, "split", other_id=new_group, note=note, label=label)
    if new_group is not None:
        group = found.group
        await store.insert(
            tx,
            NewGroup(
                id=new_group,
                kind=group.kind,
                rating=group.rating,
                block=found.block,
                key=group.key,
                agent_id=group.agent_id,
                entity_type=group.entity_type,
                template=None,
                at=decision.at,
            ),
        )
    await place_store.take_out(tx, group_id, [member.id for member in apart], new_group)
    for each in (group_id, *([new_group] if new_group else [])):
        await derived_service.refresh(tx, each, threshold)
    payload = events.GroupSplit(
        **msgspec.structs.asdict(_about(found)), new_group_id=new_group or msgspec.UNSET
    )
    await emit(tx, events.SPLIT.of(group_id, payload))
    return await access(tx, new_group) if new_group else None


async def _hold(tx: Tx, group_id: UUID) -> tuple[float, GroupRow]:
    """An open group, with all groups held. Whoever comes second is told who was first."""
    threshold = await decision_store.lock(tx)
    found = await _access(tx, group_id)
    if found.group.state is not GroupState.OPEN:
        raise _decided(found.group)
    return threshold, found


def _decided(group: FeedbackGroup) -> GroupDecided:
    first: dict[str, Any] = {
        name: msgspec.to_builtins(getattr(group, name))
        for name in ("id", "state", "decided_by", "decided_at", "reason", "note", "merged_into")
    }
    return GroupDecided(conflict=first)


def _about(found: GroupRow) -> events.OfGroup:
    return events.OfGroup(kind=found.group.kind, members=found.group.members, origins=found.group.origins)


async def _decide(
    tx: Tx,
    found: GroupRow,
    kind: str,
    *,
    other_id: UUID | None = None,
    reason: DismissReason | None = None,
    note: str | None = None,
    label: Label | None = None,
    moved: list[UUID] | None = None,
    takes_back: UUID | None = None,
) -> Decision:
    """Write a decision down, and what it says about how alike notes of one matter are here."""
    note = note if note and note.strip() else None
    at: datetime = await tx.moment()
    decision = Decision(new_id(), found.group.id, kind, other_id, reason, note, label, at, moved, takes_back)
    await decision_store.insert_decision(tx, decision)
    if label is not None or takes_back is not None:
        labels = await decision_store.list_labels(tx)
        await decision_store.set_threshold(tx, refit(labels), len(labels))
    return decision


async def _members(tx: Tx, group_id: UUID) -> list[Member]:
    return await member_store.list_members(tx, group_id, MOST_REVIEWED)


async def _label(
    tx: Tx, found: GroupRow, one: Sequence[Member], other: Sequence[Member], *, is_one_matter: bool
) -> Label | None:
    """How alike the notes of two sides are, of those that can be compared."""
    corpus = Corpus()
    for text in await derived_service.list_others(tx, found, [member.id for member in (*one, *other)]):
        corpus.hear(text)
    sides: list[list[int]] = []
    models = {member.model for member in (*one, *other) if member.model}
    for side in (one, other):
        with_vector = [member for member in side if member.model and member.model == max(models)]
        sides.append(
            [
                corpus.add(own_words(member.comment or ""), np.array(member.vector, dtype=np.float32))
                for member in with_vector[:MOST_COMPARED]
            ]
        )
    if not all(sides):
        return None
    means = [float(corpus.similarities(place, sides[1]).mean()) for place in sides[0]]
    return Label(sum(means) / len(means), is_one_matter)
