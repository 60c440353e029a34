"""What a rubric is: the checks of each dimension, and how much each dimension weighs. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, kw_only=True)
class KnowledgeRubric:
    """One argument per dimension: a check, or several that must all pass. A dimension without any never passes."""

    name: str
    source_grounding: Checks = ()
    schema_completeness: Checks = ()
    actionability: Checks = ()
    safety_human_gate: Checks = ()
    workspace_renderability: Checks = ()
    tenant_isolation: Checks = ()
    weights: Mapping[KnowledgeDimension, float] | None = None
    version: str = "1"

    def __post_init__(self) -> None:
        given = self.weights or WEIGHTS
        if set(given) != set(KnowledgeDimension) or not all(0 < weight <= 1 for weight in given.values()):
            raise ValueError("weights name each of the six dimensions, above 0 and at most 1")
        for dimension, check in self.checks:
            if not isinstance(check, Check):
                raise TypeError(f"the rubric {self.name} has something in {dimension} that is no Check")

    @cached_property
    def plan(self) -> tuple[PlannedDimension, ...]:
        """Made once; scoring runs nothing else."""
        weights = self.weights or WEIGHTS
        return tuple(
            PlannedDimension(dimension, weights[dimension], _as_tuple(getattr(self, dimension)))
            for dimension in KnowledgeDimension
        )

    @property
    def checks(self) -> Iterator[tuple[KnowledgeDimension, Check]]:
        return ((planned.dimension, check) for planned in self.plan for check in planned.checks)

    @property
    def fields(self) -> frozenset[str]:
        """Every field of the entity type that some check reads."""
        return frozenset(field for _, check in self.checks for field in check.fields)


def _as_tuple(checks: Checks) -> tuple[Check, ...]:
    return tuple(checks) if isinstance(checks, Sequence) else (checks,)
