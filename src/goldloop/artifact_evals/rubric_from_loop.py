"""A rubric made from its loop: what the loop declares is not declared a second time, so the two cannot drift. Pure."""

from dataclasses import replace

from goldloop.artifact_evals.checks import (
    RenderabilityProbe,
    assert_tenant_scope,
    require_evidence_refs,
    require_renderable,
    require_safety_label,
)
from goldloop.artifact_evals.loops import KnowledgeLoopDefinition
from goldloop.artifact_evals.model import Check, KnowledgeDimension
from goldloop.artifact_evals.rubric import Checks, KnowledgeRubric


def rubric_from_loop(
    loop: KnowledgeLoopDefinition,
    entity_type: str,
    *,
    schema_completeness: Checks,
    actionability: Checks,
    payload_fields: tuple[str, ...],
    probe: RenderabilityProbe | None = None,
    version: str = "1",
) -> KnowledgeRubric:
    """Evidence, statuses, safety class, gate and surfaces come from the loop; what a loop does not say, from you."""
    record = loop.record(entity_type)
    return KnowledgeRubric(
        name=entity_type,
        version=version,
        source_grounding=require_evidence_refs(
            *record.evidence_fields,
            minimum=record.minimum_evidence,
            draft_statuses=record.draft_statuses,
            finalized_statuses=record.finalized_statuses,
        ),
        schema_completeness=schema_completeness,
        actionability=actionability,
        safety_human_gate=require_safety_label(loop.safety_class, loop.review_gate),
        workspace_renderability=require_renderable(
            *payload_fields, known_surfaces=loop.surface_refs, probe=probe
        ),
        tenant_isolation=assert_tenant_scope(),
    )


def with_surface_probe(rubric: KnowledgeRubric, probe: RenderabilityProbe) -> KnowledgeRubric:
    """The same rubric where surfaces can be asked for: the probe decides in place of the list of known ones."""
    rendering = KnowledgeDimension.WORKSPACE_RENDERABILITY
    checks = [_probed(check, probe) for dimension, check in rubric.checks if dimension == rendering]
    return replace(rubric, workspace_renderability=tuple(checks))


def _probed(check: Check, probe: RenderabilityProbe) -> Check:
    if check.name != "require_renderable":
        return check
    surface_field, *payload_fields = check.fields
    return require_renderable(*payload_fields, probe=probe, surface_field=surface_field)
