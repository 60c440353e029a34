"""Use case: what follows from a group's members, written anew: counts, title, whether it is proposed, whether it came back."""

from collections import Counter
from uuid import UUID

import numpy as np

from goldloop.feedback.groups import events, place_store, store
from goldloop.feedback.groups.origins import count_origins
from goldloop.feedback.groups.phrases import title
from goldloop.feedback.groups.store import Derived, GroupRow, Member
from goldloop.feedback.groups.thresholds import MANY, NEAR, group_at
from goldloop.feedback.groups.wording import Corpus, own_words
from goldloop.feedback.model import GroupKind, GroupState
from goldloop.kit.db import Tx
from goldloop.kit.events import emit

LEAST_ORIGINS = 2  # for a group to be proposed
MOST_MEMBERS = 2000  # whose origins are counted, the newest
MOST_COMPARED = 60  # members whose wording is compared, and that a title is made of
OTHERS = 100  # notes of the block that a title should not fit
RETURNED_FIRST = 1_000_000.0  # before all that did not come back


async def refresh(tx: Tx, group_id: UUID, threshold: float) -> None:
    """Whoever calls this holds the groups."""
    found = await store.find(tx, group_id)
    if found is None or found.group.state is GroupState.MERGED:
        return
    members = await store.list_members(tx, group_id, MOST_MEMBERS)
    group, counts = found.group, await store.count_members(tx, group_id)
    origins = count_origins([member.origin for member in members])
    compared = _compared(members)
    cohesion = _cohesion(compared)
    is_alike = True
    if group.kind is GroupKind.WORDING:
        size = await place_store.count_in_block(tx, found.block, MANY + 1)
        is_alike = cohesion is not None and cohesion >= group_at(size, threshold)
    proposed = origins >= LEAST_ORIGINS and is_alike
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
        title=await _title(tx, found, compared),
        proposed=proposed,
        weight=(cohesion or NEAR) * origins + (RETURNED_FIRST if returned else 0.0),
        state=GroupState.OPEN if escalates else group.state,
        returned=returned,
        centroid=_centroid(compared),
        centroid_model=compared[0].model if compared else None,
    )
    await store.set_derived(tx, group_id, derived)
    payload = events.OfGroup(kind=group.kind, members=counts.members, origins=origins)
    if escalates:
        await emit(tx, events.RETURNED.of(group_id, payload))
    elif proposed and not group.proposed:
        await emit(tx, events.PROPOSED.of(group_id, payload))


def _compared(members: list[Member]) -> list[Member]:
    """Those with a vector of one model, that of most of them."""
    models = Counter(member.model for member in members if member.model)
    if not models:
        return []
    ((model, _),) = models.most_common(1)
    return [member for member in members if member.model == model][:MOST_COMPARED]


def _cohesion(members: list[Member]) -> float | None:
    corpus = Corpus()
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


async def _title(tx: Tx, found: GroupRow, compared: list[Member]) -> str:
    if found.group.kind is GroupKind.REASON:
        return found.group.key or ""
    here = {member.comment for member in compared}
    others = [text for text in await store.list_comments(tx, found.block, OTHERS) if text not in here]
    notes = [own_words(member.comment) for member in compared if member.comment]
    return title(notes, [own_words(text) for text in others]) or found.group.key or ""
