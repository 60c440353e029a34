"""What a group of feedback proposes as knowledge, in the words of its members alone. Pure.

It is an extract and not yet a rule: a person puts it into words before it is in prompts.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.feedback.groups.languages import content_words
from goldloop.feedback.groups.wording import own_words
from goldloop.feedback.model import FeedbackSource
from goldloop.kit.at_first_use import np
from goldloop.knowledge.checks import without_private
from goldloop.knowledge.model import CONTENT_CHARACTERS, CONTEXT_CHARACTERS, KnowledgeType

MOST_QUOTED = 600  # characters of a note
MOST_VALUES = 3  # pairs of what was rejected and what stands now
MOST_VALUE = 60  # characters of one


class Member(NamedTuple):
    """Feedback of a group. `rejected` and `accepted` are what a field had and what it has now, as text; None where that is not
    known, or where nothing was accepted since."""

    id: UUID
    source: FeedbackSource
    comment: str | None
    vector: Sequence[float] | None = None
    agent_id: UUID | None = None
    entity_type: str | None = None
    field: str | None = None
    tool: str | None = None
    reason: str | None = None
    rejected: str | None = None
    accepted: str | None = None


class Extract(NamedTuple):
    """`medoid` is the member whose words stand for all."""

    type: KnowledgeType
    content: str
    context: str | None
    agent_id: UUID | None
    entity_type: str | None
    medoid: UUID


def extract(
    members: Sequence[Member], names: Collection[str] = (), others: Collection[str] = ()
) -> Extract | None:
    """None where no member says anything. `names` are those of people, which are masked; `others` are agents and tools, which
    a note that routes work names."""
    medoid = find_medoid(members)
    if medoid is None:
        return None
    note = own_words(medoid.comment or "") or medoid.reason or ""
    quoted = without_private(note, names)[:MOST_QUOTED]
    values = _values(members, names)
    content = f"“{quoted}”" + (f" ({values})" if values else "")
    return Extract(
        type=kind_of(members, note, others),
        content=content[:CONTENT_CHARACTERS],
        context=_context(members),
        agent_id=_shared(member.agent_id for member in members),
        entity_type=_shared(member.entity_type for member in members),
        medoid=medoid.id,
    )


def find_medoid(members: Sequence[Member]) -> Member | None:
    """The note that is most like the others; without vectors the shortest that says something."""
    saying = [m for m in members if own_words(m.comment or "").strip() or m.reason]
    if not saying:
        return None
    compared = [m for m in saying if m.vector is not None]
    if len(compared) > 1:
        vectors = np.array([m.vector for m in compared], dtype=np.float32)
        means = (vectors @ vectors.T).mean(axis=1)
        return compared[max(range(len(compared)), key=lambda i: (round(float(means[i]), 6), -i))]
    telling = [m for m in saying if content_words(own_words(m.comment or ""))] or saying
    return min(telling, key=lambda m: (len(own_words(m.comment or "") or m.reason or ""), m.id))


def kind_of(members: Sequence[Member], note: str, others: Collection[str]) -> KnowledgeType:
    """A rejected value is corrected, a failure teaches a lesson, what is said in chats is an insight; a note that names another
    agent or tool routes work."""
    words = set(note.split())
    if any(other in words for other in others):
        return KnowledgeType.ROUTING
    (source, _), *_ = Counter(member.source for member in members).most_common(1)
    if any(member.field for member in members):
        return KnowledgeType.CORRECTION
    if source is FeedbackSource.CHAT:
        return KnowledgeType.INSIGHT
    return KnowledgeType.LESSON


def _values(members: Sequence[Member], names: Collection[str]) -> str:
    """`valuation` 12 → 12,000,000 in 3 of 4. Masked before it is cut: part of an address is one as well."""
    pairs = Counter(
        (member.field, *(_cut(without_private(value, names)) for value in (member.rejected, member.accepted)))
        for member in members
        if member.field and member.rejected is not None and member.accepted is not None
    )
    known = sum(member.rejected is not None for member in members)
    pairs_in_words = [
        f"`{field}` {rejected} → {accepted} in {count} of {known}"
        for (field, rejected, accepted), count in pairs.most_common(MOST_VALUES)
    ]
    return "; ".join(pairs_in_words)


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= MOST_VALUE else f"{line[: MOST_VALUE - 1]}…"


def _context(members: Sequence[Member]) -> str | None:
    """When it applies, by what all have in common."""
    field, entity_type = _shared(m.field for m in members), _shared(m.entity_type for m in members)
    tool = _shared(m.tool for m in members)
    parts = [
        f"when filling in `{field}`" if field else "",
        f"when calling `{tool}`" if tool else "",
        f"for records of type {entity_type}" if entity_type else "",
    ]
    return " ".join(filter(None, parts))[:CONTEXT_CHARACTERS] or None


def _shared(values: Any) -> Any:
    """The one value that all have; None where they differ or one has none."""
    found = set(values)
    return next(iter(found)) if len(found) == 1 else None
