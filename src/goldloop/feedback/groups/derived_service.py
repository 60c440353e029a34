"""Use case: what follows from a group's members, written anew: counts, title, whether it is proposed, whether it came back."""

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from goldloop.feedback.entries.events import FEEDBACK
from goldloop.feedback.groups import decision_store, events, member_store, place_store, store
from goldloop.feedback.groups.member_store import Member
from goldloop.feedback.groups.origins import count_origins
from goldloop.feedback.groups.phrases import title
from goldloop.feedback.groups.store import Derived, GroupRow
from goldloop.feedback.groups.thresholds import MANY, NEAR, group_at
from goldloop.feedback.groups.wording import Corpus, own_words
from goldloop.feedback.model import FeedbackGroup, GroupKind, GroupState
from goldloop.kit.at_first_use import np
from goldloop.kit.clock import now
from goldloop.kit.db import Tx
from goldloop.kit.events import emit, notify

LEAST_ORIGINS = 2  # for a group to be proposed
TREND_DAYS = 14
MOST_MEMBERS = 2000  # whose origins are counted, the newest
MOST_COMPARED = 60  # members whose wording is compared, and that a title is made of
OTHERS = 100  # notes of the block that its own are weighed against, the newest
RETURNED_FIRST = 1_000_000.0  # before all that did not come back


async def refresh(tx: Tx, group_id: UUID, threshold: float) -> None:
    """Whoever calls this holds the groups."""
    found = await store.find(tx, group_id)
    if found is None or found.group.state is GroupState.MERGED:
        return
    members = await member_store.list_members(tx, group_id, MOST_MEMBERS)
    group, counts = found.group, await member_store.count_members(tx, group_id)
    origins = count_origins([member.origin for member in members])
    compared = _compared(members)
    others = await list_others(tx, found, [member.id for member in compared])
    cohesion, is_alike = None, True
    if group.kind is GroupKind.WORDING:
        cohesion = _cohesion(compared, others)
        size = await place_store.count_in_block(tx, found.block, MANY + 1)
        is_alike = cohesion is not None and cohesion >= group_at(size, threshold)
        is_alike = is_alike or bool(await decision_store.joined_among(tx, [group_id]))  # whatever the words
    is_flagged = any(member.flagged for member in members)  # which is enough by itself
    proposed = is_flagged or (origins >= LEAST_ORIGINS and is_alike)
    escalates = (
        group.state in (GroupState.DISMISSED, GroupState.SNOOZED)
        and found.escalates_at is not None
        and origins >= found.escalates_at
    )
    returned = escalates or group.returned
    derived = Derived(
        counts=counts,
        origins=origins,
        cohesion=cohesion,
        title=_title(group, compared, others),
        proposed=proposed,
        weight=(cohesion or NEAR) * origins + (RETURNED_FIRST if returned else 0.0),
        state=GroupState.OPEN if escalates else group.state,
        returned=returned,
        centroid=_centroid(compared),
        centroid_model=compared[0].model if compared else None,
        by_day=await member_store.count_by_day(tx, group_id, now() - timedelta(days=TREND_DAYS)),
    )
    await store.set_derived(tx, group_id, derived)
    payload = events.OfGroup(kind=group.kind, members=counts.members, origins=origins)
    if escalates:
        await emit(tx, events.RETURNED.of(group_id, payload))
    elif proposed and not group.proposed:
        await emit(tx, events.PROPOSED.of(group_id, payload))
    elif proposed and origins > group.origins:
        await emit(tx, events.GREW.of(group_id, payload))
    else:
        await notify(tx, FEEDBACK)  # pages show its counts


def _compared(members: list[Member]) -> list[Member]:
    """Those with a vector of one model, that of most of them."""
    models = Counter(member.model for member in members if member.model)
    if not models:
        return []
    ((model, _),) = models.most_common(1)
    return [member for member in members if member.model == model][:MOST_COMPARED]


async def list_others(tx: Tx, found: GroupRow, ids: Sequence[UUID]) -> list[str]:
    """The newest notes of a group's block besides some: what is common among them tells nobody apart."""
    return [own_words(text) for text in await member_store.list_comments(tx, found.block, ids, OTHERS)]


def _cohesion(members: list[Member], others: Sequence[str]) -> float | None:
    corpus = Corpus()
    for text in others:
        corpus.hear(text)
    places = [
        corpus.add(own_words(member.comment or ""), np.array(member.vector, dtype=np.float32))
        for member in members
    ]
    return corpus.mean_similarity(places)


def _centroid(members: list[Member]) -> list[float] | None:
    if not members:
        return None
    mean = np.mean([np.array(member.vector, dtype=np.float32) for member in members], axis=0)
    centroid: list[float] = (mean / max(float(np.linalg.norm(mean)), 1e-9)).tolist()
    return centroid


def _title(group: FeedbackGroup, compared: list[Member], others: Sequence[str]) -> str:
    """What a group is together for: its key, or what its notes have in common."""
    if group.kind is not GroupKind.WORDING:
        return group.key or ""
    notes = [own_words(member.comment) for member in compared if member.comment]
    return title(notes, others) or group.key or ""
