"""An artifact whose parts are not what they should be, made one that every check can read. Pure."""

from collections.abc import Mapping
from typing import Any

from goldloop.artifact_evals.model import (
    EvidenceRef,
    FieldProvenance,
    KnowledgeArtifact,
    RecordRef,
    RenderTarget,
    SafetyPosture,
)
from goldloop.artifact_evals.values import identity


def is_normalized(artifact: KnowledgeArtifact) -> bool:
    """Types say so, but an adapter reads what people and agents wrote, and nothing checks a value at run time."""
    return (
        type(artifact.fields) is dict
        and type(artifact.evidence_refs) is tuple
        and type(artifact.references) is tuple
        and type(artifact.safety) is SafetyPosture
        and type(artifact.render) is RenderTarget
        and type(artifact.render.payload) is dict
        and type(artifact.provenance) is dict
        and all([type(source) is FieldProvenance for source in artifact.provenance.values()])  # noqa: C419
        and (artifact.status is None or type(artifact.status) is str)
        and all([type(ref) is EvidenceRef for ref in artifact.evidence_refs])  # noqa: C419  twice as fast
        and all([type(ref) is RecordRef for ref in artifact.references])  # noqa: C419
    )


def normalize(artifact: KnowledgeArtifact) -> KnowledgeArtifact:
    """What cannot be read is left out: the checks then say that it is missing."""
    render = artifact.render if isinstance(artifact.render, RenderTarget) else RenderTarget()
    return KnowledgeArtifact(
        id=identity(artifact.id),
        type=identity(artifact.type),
        title=identity(artifact.title),
        tenant=artifact.tenant,
        status=artifact.status if isinstance(artifact.status, str) else None,
        fields=_mapping(artifact.fields),
        evidence_refs=tuple(ref for ref in _items(artifact.evidence_refs) if isinstance(ref, EvidenceRef)),
        references=tuple(ref for ref in _items(artifact.references) if isinstance(ref, RecordRef)),
        safety=artifact.safety if isinstance(artifact.safety, SafetyPosture) else SafetyPosture(),
        render=RenderTarget(render.surface, _mapping(render.payload)),
        provenance={
            field: source
            for field, source in _mapping(artifact.provenance).items()
            if isinstance(source, FieldProvenance)
        },
    )


def _mapping(value: object) -> dict[str, Any]:
    return dict(value) if isinstance(value, Mapping) else {}


def _items(value: object) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []
