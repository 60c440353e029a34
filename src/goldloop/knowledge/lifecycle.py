"""What state knowledge is in, given what people decided and what supports it. Pure.

The state follows from these and from nothing else, in whatever order feedback is dismissed, restored or erased.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from goldloop.knowledge.model import Change, Flag, KnowledgeState, Standing

LEAST_ORIGINS = 2  # distinct signals that a row rests on, unless a person stands for it
_LADDER = [KnowledgeState.PROPOSED, KnowledgeState.SHADOW, KnowledgeState.ACTIVE]

FROM = {
    Change.APPROVED: {
        KnowledgeState.PROPOSED, KnowledgeState.SHADOW, KnowledgeState.ACTIVE, KnowledgeState.RETIRED, KnowledgeState.REJECTED,
    },
    Change.SHADOWED: {KnowledgeState.PROPOSED, KnowledgeState.ACTIVE},
    Change.RETIRED: {KnowledgeState.SHADOW, KnowledgeState.ACTIVE},
    Change.REJECTED: {KnowledgeState.PROPOSED, KnowledgeState.SHADOW},
}  # fmt: skip
TO = {
    Change.APPROVED: KnowledgeState.ACTIVE,
    Change.SHADOWED: KnowledgeState.SHADOW,
    Change.RETIRED: KnowledgeState.RETIRED,
    Change.REJECTED: KnowledgeState.REJECTED,
}


def state_of(decided: KnowledgeState, standing: Standing, origins: int) -> KnowledgeState:
    """With one origin left no more than shadow, with none a proposal again: both are out of prompts. What a person stands for
    stays what they made of it."""
    if decided not in _LADDER or standing is Standing.PERSON:
        return decided
    highest = min(origins, LEAST_ORIGINS)
    return _LADDER[min(_LADDER.index(decided), highest)]


def standing_after_approval(standing: Standing, decided: KnowledgeState, origins: int) -> Standing:
    """Whoever approves what was approved before, or what too little supports, stands for it."""
    again = decided is KnowledgeState.ACTIVE
    return Standing.PERSON if again or origins < LEAST_ORIGINS else standing


class Held(NamedTuple):
    """A signal as far as it bears on flags: `holds` are the numbers and names of the row that it has as well."""

    lost_at: datetime | None
    medoid: bool
    holds: Collection[str]


def flags_of(
    decided: KnowledgeState, support: Sequence[Held], read_at: datetime | None, kept: Collection[Flag]
) -> list[Flag]:
    """`kept` are those that follow from something else than support, and stay. What was lost before a person last read the
    row is known."""
    lost = [s for s in support if s.lost_at is not None and (read_at is None or s.lost_at > read_at)]
    flags: set[Flag] = {flag for flag in kept if flag not in (Flag.LOST_SUPPORT, Flag.REREAD)}
    if lost and decided in (KnowledgeState.ACTIVE, KnowledgeState.SHADOW):
        flags.add(Flag.LOST_SUPPORT)
        still = {name for s in support if s.lost_at is None for name in s.holds}
        if any(s.medoid or not set(s.holds) <= still for s in lost):
            flags.add(Flag.REREAD)
    return [flag for flag in Flag if flag in flags]
