"""What a knowledge loop declares: its records and their lifecycle, where they show, who must review, what is at stake.

The single source of the safety classes and of the review gate: a rubric takes both from here. Pure.
"""

from enum import StrEnum

import msgspec


class KnowledgeSafetyClass(StrEnum):
    """How much a wrong record can hurt, from least to most."""

    INFORMATIONAL = "informational"  # nobody acts on it by itself
    OPERATIONAL = "operational"  # people change how they work because of it
    SENSITIVE = "sensitive"  # money, law or personal data hang on it
    CLINICAL = "clinical"  # somebody's health hangs on it


STRICTNESS = {safety_class.value: place for place, safety_class in enumerate(KnowledgeSafetyClass)}


class ReviewProof(StrEnum):
    """What shows that a person let a record through."""

    TEXT = "text"  # the fields that name who reviewed it
    HISTORY = "history"  # Goldloop's own history: a person promoted the status
    EITHER = "either"  # whichever of the two says so


class ReviewGate(msgspec.Struct, frozen=True, kw_only=True):
    """Which statuses only a person lets a record into, the fields that say so, and what is taken as proof of it."""

    statuses: tuple[str, ...]
    safety_field: str = "safety_class"
    required_field: str = "review_required"
    reviewer_field: str = "reviewed_by"
    reviewer_kind_field: str = "reviewer_kind"
    status_field: str = "status"
    proof: ReviewProof = ReviewProof.EITHER

    @property
    def fields(self) -> tuple[str, ...]:
        named = (self.safety_field, self.required_field, self.reviewer_field, self.reviewer_kind_field)
        return named[:2] if self.proof == ReviewProof.HISTORY else named


class KnowledgeSurface(msgspec.Struct, frozen=True, kw_only=True):
    """A place where records are shown: a page, a view, a list of a type, or a kind of your own."""

    kind: str
    key: str
    title: str = ""

    @property
    def ref(self) -> str:
        """As a record names it: `view:evidence-desk`."""
        return f"{self.kind}:{self.key}"


def parse_surface(ref: str) -> KnowledgeSurface:
    """`view:evidence-desk` as a surface; without a colon all of it is the key and the kind is empty."""
    kind, colon, key = ref.partition(":")
    return KnowledgeSurface(kind=kind, key=key) if colon else KnowledgeSurface(kind="", key=ref)


class LoopRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One type of record in a loop. In any status but a draft one, evidence is due."""

    entity_type: str
    draft_statuses: tuple[str, ...]
    finalized_statuses: tuple[str, ...]
    evidence_fields: tuple[str, ...]
    minimum_evidence: int = 1


class KnowledgeLoopDefinition(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    title: str
    records: tuple[LoopRecord, ...]
    surfaces: tuple[KnowledgeSurface, ...]
    review_gate: ReviewGate
    safety_class: KnowledgeSafetyClass

    def record(self, entity_type: str) -> LoopRecord:
        """The declaration of a type; ValueError when the loop has none."""
        for declared in self.records:
            if declared.entity_type == entity_type:
                return declared
        known = ", ".join(declared.entity_type for declared in self.records) or "no type at all"
        raise ValueError(f"the loop {self.name} declares {known}, not {entity_type}")

    @property
    def surface_refs(self) -> tuple[str, ...]:
        return tuple(surface.ref for surface in self.surfaces)
