"""Which knowledge a prompt holds: the highest ranks of each type, within a budget of tokens. Pure."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple
from uuid import UUID

import msgspec

from goldloop.knowledge.model import NOWHERE, KnowledgeType
from goldloop.knowledge.printing import PrintedRow, cost_of, in_order
from goldloop.knowledge.ranking import tokens_of

PER_TYPE = 8  # few points are followed, many are not
BUDGET = 1200  # tokens of all lines together
MOST_COUNTED = 200  # of what is left out: nobody does otherwise where it is more
_TYPES = list(KnowledgeType)


class Scope(NamedTuple):
    """Where a prompt is used: by which agent, about which type of record. None where that is nobody, or none, in particular."""

    agent_id: UUID | None = None
    entity_type_id: UUID | None = None

    @property
    def key(self) -> tuple[UUID, UUID]:
        return self.agent_id or NOWHERE, self.entity_type_id or NOWHERE

    @property
    def holding(self) -> list[tuple[UUID, UUID]]:
        """The scopes whose rows hold here, the narrowest first."""
        agent, entity_type = self.key
        return list(
            dict.fromkeys(
                ((agent, entity_type), (agent, NOWHERE), (NOWHERE, entity_type), (NOWHERE, NOWHERE))
            )
        )

    def covers(self, agent_id: UUID | None, entity_type_id: UUID | None) -> bool:
        """Whether what holds for these holds here: what is narrower than the prompt's own scope does not."""
        return agent_id in (None, self.agent_id) and entity_type_id in (None, self.entity_type_id)


class Candidate(NamedTuple):
    """A row that holds in a prompt's scope. `narrowness` is how many of agent and entity type it names."""

    row: PrintedRow
    rank: float
    narrowness: int


class IncludedRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row of a prompt, and why it is in it."""

    id: UUID
    type: KnowledgeType
    content: str
    context: str | None
    rank: float
    tokens: int
    reason: str


class LeftOutRows(msgspec.Struct, frozen=True, kw_only=True):
    """How many rows a prompt does not hold, by why: others of their type rank higher, the budget was spent, they are active
    and hold elsewhere, or they would hold here and are in shadow. Counts end at 200. `lowest_included_rank` is of each type."""

    by_rank: int
    by_budget: int
    by_scope: int
    shadow: int
    lowest_included_rank: dict[str, float]


class Selection(NamedTuple):
    included: list[Candidate]
    by_rank: list[Candidate]
    by_budget: list[Candidate]


def order_of(candidate: Candidate) -> tuple[float, int, int]:
    """The higher rank first; of equals the narrower scope, then the older row."""
    return -candidate.rank, -candidate.narrowness, candidate.row.id.int


def select(candidates: Sequence[Candidate], per_type: int = PER_TYPE, budget: int = BUDGET) -> Selection:
    """Over budget, the lowest rank of the type that has most lines goes first."""
    by_type: dict[KnowledgeType, list[Candidate]] = {kind: [] for kind in _TYPES}
    for candidate in sorted(candidates, key=order_of):
        by_type[candidate.row.type].append(candidate)
    kept = {kind: found[:per_type] for kind, found in by_type.items()}
    by_rank = [candidate for found in by_type.values() for candidate in found[per_type:]]
    by_budget = []
    spent = sum(cost_of(candidate.row) for found in kept.values() for candidate in found)
    while spent > budget:
        longest = max(_TYPES, key=lambda kind: (len(kept[kind]), _TYPES.index(kind)))
        dropped = kept[longest].pop()
        by_budget.append(dropped)
        spent -= cost_of(dropped.row)
    return Selection([c for kind in _TYPES for c in kept[kind]], by_rank, by_budget)


def describe(selection: Selection) -> list[IncludedRow]:
    """In the order in which they are printed."""
    places = dict.fromkeys(_TYPES, 0)
    known = {}
    for candidate in sorted(selection.included, key=order_of):
        kind = candidate.row.type
        places[kind] += 1
        known[candidate.row.id.int] = candidate, places[kind]
    return [
        _included(row, *known[row.id.int])
        for row in in_order([candidate.row for candidate in selection.included])
    ]


def _included(row: PrintedRow, candidate: Candidate, place: int) -> IncludedRow:
    return IncludedRow(
        id=row.id,
        type=row.type,
        content=row.content,
        context=row.context,
        rank=candidate.rank,
        tokens=cost_of(row),
        reason=_reason(candidate, place),
    )


_WHERE = (
    "for the whole workspace",
    "for this agent or type of record",
    "for this agent and type of record",
)


def _reason(candidate: Candidate, place: int) -> str:
    return f"number {place} of the {candidate.row.type.value}s, {_WHERE[candidate.narrowness]}"


def left_out(
    selection: Selection, *, in_scope: int, elsewhere: int, shadow: int, offered: int
) -> LeftOutRows:
    """`in_scope` rows hold here, of which `offered` were looked at."""
    beyond = max(0, in_scope - offered) + len(selection.by_rank)
    return LeftOutRows(
        by_rank=min(MOST_COUNTED, beyond),
        by_budget=len(selection.by_budget),
        by_scope=elsewhere,
        shadow=shadow,
        lowest_included_rank=_lowest(selection.included),
    )


def _lowest(included: Sequence[Candidate]) -> dict[str, float]:
    lowest: dict[str, float] = {}
    for candidate in included:
        kind = str(candidate.row.type)
        lowest[kind] = min(candidate.rank, lowest.get(kind, candidate.rank))
    return lowest


class PromptDiff(NamedTuple):
    """What a change does to a prompt: lines that come and go, and the first line from which on caches are made anew. A line that
    moves goes where it was and comes where it is."""

    added: list[str]
    removed: list[str]
    first_changed_line: int | None
    tokens_before: int
    tokens_after: int


def diff(before: str, after: str) -> PromptDiff:
    old, new = before.splitlines(), after.splitlines()
    first = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), None)
    if first is None and len(old) != len(new):
        first = min(len(old), len(new))
    parts = [
        part for part in SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if part[0] != "equal"
    ]
    return PromptDiff(
        [line for _, _, _, start, end in parts for line in new[start:end]],
        [line for _, start, end, _, _ in parts for line in old[start:end]],
        None if first is None else first + 1,
        tokens_of(before),
        tokens_of(after),
    )
