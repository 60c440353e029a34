"""What adapters are made of: a record of any quality becomes an artifact, and no field of it makes that fail.

A record is what `GET /api/entities/{id}` answers (`id`, `type`, `title`, `content`) with the `tenant` it was read in, and
perhaps the `provenance` of its fields, each with `kind`, `by`, `by_kind` and `at`.
Pure.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from goldloop.artifact_evals.loops import ReviewGate, ReviewProof
from goldloop.artifact_evals.model import (
    EvidenceRef,
    FieldProvenance,
    KnowledgeArtifact,
    RecordRef,
    RenderTarget,
    SafetyPosture,
)
from goldloop.artifact_evals.values import identity

Record = Mapping[str, Any]

_NOTHING: Mapping[str, Any] = {}


def content_of(record: Record) -> Mapping[str, Any]:
    content = record.get("content")
    return content if isinstance(content, dict) else _NOTHING


def text_of(fields: Mapping[str, Any], name: str) -> str | None:
    value = fields.get(name)
    return value if isinstance(value, str) else None


def evidence_of(content: Mapping[str, Any], *names: str) -> tuple[EvidenceRef, ...]:
    """The sources in some fields: each a text, or an object with `source` and perhaps `title` and `workspace`.

    An entry that names no source is kept as an empty one, so that a check can say so."""
    refs = []
    for name in names:
        for entry in _entries(content.get(name)):
            if isinstance(entry, dict):
                title, tenant = text_of(entry, "title") or "", text_of(entry, "workspace")
                refs.append(EvidenceRef(text_of(entry, "source") or "", name, title, tenant))
            else:
                refs.append(EvidenceRef(entry if isinstance(entry, str) else "", name))
    return tuple(refs)


def references_of(content: Mapping[str, Any], *names: str) -> tuple[RecordRef, ...]:
    """The records that some fields point to: each an id, or an object with `id` and perhaps `workspace`."""
    refs = []
    for name in names:
        for entry in _entries(content.get(name)):
            if isinstance(entry, dict):
                refs.append(RecordRef(text_of(entry, "id") or "", name, text_of(entry, "workspace")))
            elif isinstance(entry, str):
                refs.append(RecordRef(entry, name))
    return tuple(refs)


def _entries(value: Any) -> Sequence[Any]:
    """The items of a list; anything else is one item, and null is none."""
    if isinstance(value, list):
        return value
    return () if value is None else (value,)


def safety_of(content: Mapping[str, Any], gate: ReviewGate) -> SafetyPosture:
    label, required = text_of(content, gate.safety_field), content.get(gate.required_field)
    asked = required if isinstance(required, bool) else None
    if gate.proof == ReviewProof.HISTORY:
        return SafetyPosture(label, asked)
    return SafetyPosture(
        label,
        asked,
        text_of(content, gate.reviewer_field),
        text_of(content, gate.reviewer_kind_field),
    )


def provenance_of(record: Record) -> Mapping[str, FieldProvenance]:
    """Of each field that the record says it of; what cannot be read counts as not known."""
    given = record.get("provenance")
    if not isinstance(given, dict):
        return _NOTHING
    return {
        field: FieldProvenance(
            text_of(source, "kind") or "",
            text_of(source, "by") or "",
            text_of(source, "by_kind") or "",
            text_of(source, "at") or "",
        )
        for field, source in given.items()
        if isinstance(field, str) and isinstance(source, dict)
    }


def project(
    record: Record,
    *,
    gate: ReviewGate,
    evidence: tuple[str, ...],
    payload: tuple[str, ...],
    references: tuple[str, ...] = (),
    status: str = "status",
    surface: str = "surface",
) -> KnowledgeArtifact:
    """A record as an artifact, by the names of its fields. An adapter for odder records builds the artifact itself."""
    content = content_of(record)
    return KnowledgeArtifact(
        id=identity(record.get("id", "")),
        type=text_of(record, "type") or "",
        title=text_of(record, "title") or "",
        tenant=text_of(record, "tenant"),
        status=text_of(content, status),
        fields=content,
        evidence_refs=evidence_of(content, *evidence),
        references=references_of(content, *references),
        safety=safety_of(content, gate),
        render=RenderTarget(text_of(content, surface), {name: content.get(name) for name in payload}),
        provenance=provenance_of(record),
    )
