"""What a rubric is: the checks of each dimension, and how much each dimension weighs. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from functools import cached_property
from typing import NamedTuple

from goldloop.artifact_evals.model import Check, KnowledgeDimension

# What hurts others weighs more than what hurts the record: a leak and a missing gate first, then bare claims.
WEIGHTS: Mapping[KnowledgeDimension, float] = {
    KnowledgeDimension.SOURCE_GROUNDING: 0.20,
    KnowledgeDimension.SCHEMA_COMPLETENESS: 0.10,
    KnowledgeDimension.ACTIONABILITY: 0.10,
    KnowledgeDimension.SAFETY_HUMAN_GATE: 0.25,
    KnowledgeDimension.WORKSPACE_RENDERABILITY: 0.10,
    KnowledgeDimension.TENANT_ISOLATION: 0.25,
}

Checks = Check | Sequence[Check]


class PlannedDimension(NamedTuple):
    """A dimension as scoring runs it."""

    dimension: KnowledgeDimension
    weight: float
    checks: tuple[Check, ...]
    left_out: str | None  # why it does not count; None where it does


@dataclass(frozen=True, kw_only=True)
class KnowledgeRubric:
    """One argument per dimension: a check, or several that must all pass. A dimension without any never passes; one that
    is `left_out`, with the reason for it, does not count and is shown as such."""

    name: str
    source_grounding: Checks = ()
    schema_completeness: Checks = ()
    actionability: Checks = ()
    safety_human_gate: Checks = ()
    workspace_renderability: Checks = ()
    tenant_isolation: Checks = ()
    weights: Mapping[KnowledgeDimension, float] | None = None
    left_out: Mapping[KnowledgeDimension, str] = dataclass_field(default_factory=dict, hash=False)
    version: str = "1"

    def __post_init__(self) -> None:
        given = self.weights or WEIGHTS
        if set(given) != set(KnowledgeDimension) or not all(0 < weight <= 1 for weight in given.values()):
            raise ValueError("weights name each of the six dimensions, above 0 and at most 1")
        self._check_left_out()
        for dimension, check in self.checks:
            if not isinstance(check, Check):
                raise TypeError(f"the rubric {self.name} has something in {dimension} that is no Check")

    def _check_left_out(self) -> None:
        unknown = [name for name in self.left_out if name not in set(KnowledgeDimension)]
        if unknown or not all(isinstance(why, str) and why.strip() for why in self.left_out.values()):
            raise ValueError(
                f"the rubric {self.name} leaves out dimensions by their names, each with a reason"
            )
        if len(self.left_out) == len(KnowledgeDimension):
            raise ValueError(f"the rubric {self.name} leaves out every dimension: then it judges nothing")

    @cached_property
    def plan(self) -> tuple[PlannedDimension, ...]:
        """Made once; scoring runs nothing else."""
        weights = self.weights or WEIGHTS
        return tuple(
            PlannedDimension(
                dimension,
                weights[dimension],
                () if dimension in self.left_out else _as_tuple(getattr(self, dimension)),
                self.left_out.get(dimension),
            )
            for dimension in KnowledgeDimension
        )

    @property
    def checks(self) -> Iterator[tuple[KnowledgeDimension, Check]]:
        return ((planned.dimension, check) for planned in self.plan for check in planned.checks)

    @property
    def fields(self) -> frozenset[str]:
        """Every field of the entity type that some check reads."""
        return frozenset(field for _, check in self.checks for field in check.fields)

    @property
    def provenance_fields(self) -> tuple[str, ...]:
        """Every field of which some check asks where its value comes from."""
        return tuple(sorted({field for _, check in self.checks for field in check.provenance}))


def leave_out(rubric: KnowledgeRubric, reasons: Mapping[KnowledgeDimension, str]) -> KnowledgeRubric:
    """The same rubric without some dimensions, beside those that it leaves out itself."""
    return replace(rubric, left_out={**rubric.left_out, **reasons}) if reasons else rubric


def _as_tuple(checks: Checks) -> tuple[Check, ...]:
    return tuple(checks) if isinstance(checks, Sequence) else (checks,)
