"""Use case: what was made of a group follows it, after its members have changed or people have decided about it."""

from collections.abc import Sequence
from uuid import UUID

import msgspec

from goldloop.feedback.groups import service as groups
from goldloop.feedback.model import FeedbackStatus, GroupState
from goldloop.kit.db import ActorKind, Tx
from goldloop.kit.events import Event
from goldloop.kit.queue import set_marks
from goldloop.knowledge.model import Change, KnowledgeEntry, KnowledgeState, SharedContext
from goldloop.knowledge.permissions import KNOWLEDGE_CREATE
from goldloop.knowledge.proposals import service
from goldloop.knowledge.proposals import store as group_store
from goldloop.knowledge.rows import derived_service, history_store, store, support_service
from goldloop.knowledge.rows import service as rows
from goldloop.knowledge.rows.derived_service import Why

WITHDRAWN = "withdrawn"  # in the evidence of an entry: what took a proposal back, which is no person's decision about it
DISMISSED, MERGED, WORDLESS = "dismissed", "merged", "wordless"


async def follow(tx: Tx, group_id: UUID) -> None:
    """What rests on a group rests on its members of now; what somebody has decided about, also on those that only their wording
    has drawn into another. Of what nobody has decided about: a proposal goes with a group that is dismissed and comes back with
    it, goes with the words that it is in where the group has no others, and groups that are one have one proposal."""
    tx.actor.check(KNOWLEDGE_CREATE)
    group = await groups.hold_standing(tx, group_id)
    await group_store.lock_feedback(tx, [group.id], service.MOST_MEMBERS)
    for row_id in await group_store.list_concerned(tx, group.id):
        await _heed(tx, await rows.access_any(tx, row_id))
    made = await store.find_of_group(tx, group.id)
    if group.state is GroupState.DISMISSED:
        await _withdraw(tx, made)
        return
    await _bring_back(tx, made)
    outcome = await service.propose(tx, group.id)
    made = await store.find_of_group(tx, group.id)
    if outcome.row is None:
        await _withdraw_wordless(tx, made)
    await _keep_one(tx, made)


async def _heed(tx: Tx, row: SharedContext) -> None:
    is_decided = service.is_decided(row)
    if is_decided:
        in_groups = await group_store.list_groups(tx, row.id)
        await group_store.link_drawn(tx, row.id, in_groups, await tx.moment())
    await support_service.heed_groups(tx, row.id, await group_store.list_groups(tx, row.id), is_decided)


async def heed_review(tx: Tx, event: Event) -> None:
    """Feedback that was dismissed is nothing to propose any more, in its words least of all."""
    if event.payload["status"] == FeedbackStatus.DISMISSED:
        await heed_reopening(tx, event)


async def heed_reopening(tx: Tx, event: Event) -> None:
    concerned = await group_store.list_groups_of_feedback(tx, UUID(event.subject_id))
    await set_marks(tx, derived_service.PROPOSE, [str(each) for each in concerned])


async def heed_decision(tx: Tx, event: Event) -> None:
    """What was decided about a row, or taken back, while its groups went on. What follows them moves rows as well, and is not
    followed in turn."""
    if event.payload["change"] == Change.SUPPORT or tx.actor.kind is ActorKind.SYSTEM:
        return
    concerned = await group_store.list_groups(tx, UUID(event.subject_id))
    await set_marks(tx, derived_service.PROPOSE, sorted(str(each) for each in concerned))


async def _withdraw(tx: Tx, made: Sequence[SharedContext]) -> None:
    for row in made:
        if row.group_id is not None and await group_store.all_dismissed(tx, row.id):
            locked = await rows.hold(tx, row.id)
            await rows.give_way(tx, locked, "Its group was dismissed", {WITHDRAWN: DISMISSED})


async def _withdraw_wordless(tx: Tx, made: Sequence[SharedContext]) -> None:
    for row in made:
        if not service.is_decided(row) and await service.lost_its_words(tx, row):
            reason = "The feedback whose words it has supports it no more"
            await rows.give_way(tx, await rows.hold(tx, row.id), reason, {WITHDRAWN: WORDLESS})


async def _keep_one(tx: Tx, made: Sequence[SharedContext]) -> None:
    """After groups became one."""
    standing = [row for row in made if row.state not in service.OVER]
    if not standing:
        return
    first = service.first_of(standing)
    for row in standing:
        if row.group_id not in (None, first.group_id):
            evidence = {WITHDRAWN: MERGED, "row_id": str(first.id)}
            reason = "Its group is one with that of another row"
            await rows.give_way(tx, await rows.hold(tx, row.id), reason, evidence)


async def _bring_back(tx: Tx, made: Sequence[SharedContext]) -> None:
    """What was withdrawn with a group that waits again, or for a row that its group has no more to do with."""
    if any(row.state not in service.OVER for row in made):
        return
    newest = {row.group_id: row for row in reversed(made)}
    for row in newest.values():
        (entry, *_) = await history_store.list_newest_first(tx, row.id, 1)
        if not _may_return(entry, {each.id for each in made}) or await service.lost_its_words(tx, row):
            continue
        written = msgspec.structs.replace(row.written, decided=KnowledgeState.PROPOSED)
        why = Why(Change.UNDONE, "Its group waits again", None, entry.id)
        await derived_service.apply(tx, await rows.hold(tx, row.id), written, why)


def _may_return(entry: KnowledgeEntry, made: set[UUID]) -> bool:
    by = entry.evidence.get(WITHDRAWN)
    return by in (DISMISSED, WORDLESS) or (by == MERGED and UUID(entry.evidence["row_id"]) not in made)
