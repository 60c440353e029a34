"""Use case: write down what people decide about a group. What they decide stays, and moves the workspace's threshold."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from goldloop.feedback.groups import decision_store, derived_service, events, store
from goldloop.feedback.groups.decision_store import Decision
from goldloop.feedback.groups.member_store import Member
from goldloop.feedback.groups.store import GroupRow
from goldloop.feedback.groups.thresholds import Label, refit
from goldloop.feedback.groups.wording import Corpus, own_words
from goldloop.feedback.model import DismissReason, FeedbackGroup, GroupDecided, GroupNotFound, GroupState
from goldloop.feedback.permissions import FEEDBACK_REVIEW
from goldloop.kit.at_first_use import np
from goldloop.kit.db import ActorKind, Tx
from goldloop.kit.errors import Forbidden
from goldloop.kit.ids import new_id

MOST_COMPARED = 40  # members of each side whose wording a decision says something about


async def access_row(tx: Tx, group_id: UUID) -> GroupRow:
    tx.actor.check(FEEDBACK_REVIEW)
    found = await store.find(tx, group_id)
    if found is None:
        raise GroupNotFound
    return found


async def hold(tx: Tx, group_id: UUID) -> tuple[float, GroupRow]:
    """An open group, with all groups held. Whoever comes second is told who was first."""
    threshold = await decision_store.lock(tx)
    found = await access_row(tx, group_id)
    if found.group.state is not GroupState.OPEN:
        raise decided_before(found.group)
    return threshold, found


def decided_before(group: FeedbackGroup) -> GroupDecided:
    first: dict[str, Any] = {
        name: msgspec.to_builtins(getattr(group, name))
        for name in ("id", "state", "decided_by", "decided_at", "reason", "note", "merged_into")
    }
    return GroupDecided(conflict=first)


def about(found: GroupRow) -> events.OfGroup:
    return events.OfGroup(kind=found.group.kind, members=found.group.members, origins=found.group.origins)


async def decide(
    tx: Tx,
    found: GroupRow,
    kind: str,
    *,
    decision_id: UUID | None = None,
    other_id: UUID | None = None,
    reason: DismissReason | None = None,
    note: str | None = None,
    label: Label | None = None,
    takes_back: UUID | None = None,
) -> Decision:
    """Write a decision down, and what it says about how alike notes of one matter are here. Rows that people approved rest on
    groups: an agent may review members, and decides nothing else."""
    if kind != "review" and tx.actor.kind is ActorKind.AGENT:
        raise Forbidden("A person decides about groups of feedback; an agent reviews feedback")
    note = note if note and note.strip() else None
    at: datetime = await tx.moment()
    decision = Decision(
        decision_id or new_id(), found.group.id, kind, other_id, reason, note, label, at, takes_back
    )
    await decision_store.insert_decision(tx, decision)
    if label is not None or takes_back is not None:
        labels = await decision_store.list_labels(tx)
        await decision_store.set_threshold(tx, refit(labels), len(labels))
    return decision


async def compare(
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
