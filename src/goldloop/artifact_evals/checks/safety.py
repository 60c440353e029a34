"""Is an artifact labelled with what is at stake, and did a person let it through? Pure."""

from goldloop.artifact_evals.loops import STRICTNESS, KnowledgeSafetyClass, ReviewGate
from goldloop.artifact_evals.model import Check, CheckResult, KnowledgeArtifact, SafetyPosture
from goldloop.artifact_evals.values import is_filled, shown

PERSON = "user"
_NEEDS_GATE = frozenset(STRICTNESS) - {KnowledgeSafetyClass.INFORMATIONAL.value}


def require_safety_label(at_least: KnowledgeSafetyClass, gate: ReviewGate) -> Check:
    """Labelled `at_least` or stricter, review asked for, and in a gated status a person named who did it.

    All or nothing: half a gate lets everything through. What an agent or the system approved counts as not approved.
    """
    gated = frozenset(gate.statuses)

    def run(artifact: KnowledgeArtifact) -> CheckResult:
        posture = artifact.safety
        in_gated = artifact.status in gated
        if fault := _fault(posture, at_least, gate, in_gated, artifact.status):
            field, reason = fault
            return CheckResult(False, 0.0, reason, (field,))
        label = f"`{gate.safety_field}` is {posture.safety_class}"
        if in_gated:
            return CheckResult(
                True,
                1.0,
                f"{label}, and `{gate.reviewer_field}` names {shown(posture.reviewed_by)}",
                gate.fields,
            )
        return CheckResult(
            True, 1.0, f"{label}; no review is due in status {shown(artifact.status)}", gate.fields
        )

    return Check(name="require_safety_label", run=run, fields=gate.fields)


def _fault(
    posture: SafetyPosture,
    at_least: KnowledgeSafetyClass,
    gate: ReviewGate,
    in_gated: bool,
    status: str | None,
) -> tuple[str, str] | None:
    """The field to look at and what is wrong with it."""
    label = posture.safety_class
    strictness = STRICTNESS.get(label) if isinstance(label, str) else None
    field = gate.safety_field
    if strictness is None:
        wanted = (
            f"{at_least.value} or stricter" if at_least != KnowledgeSafetyClass.CLINICAL else at_least.value
        )
        return field, f"`{field}` is {shown(label)}; label it {wanted}"
    if strictness < STRICTNESS[at_least.value]:
        return field, f"`{field}` is {label}, weaker than {at_least.value}, which this kind of record is"
    field = gate.required_field
    if label in _NEEDS_GATE and posture.review_required is not True:
        return (
            field,
            f"`{field}` is {shown(posture.review_required)}; a {label} record needs a person's review",
        )
    field = gate.reviewer_field
    if in_gated and not is_filled(posture.reviewed_by):
        return field, f"`{field}` names nobody, and it is {status}"
    field = gate.reviewer_kind_field
    if in_gated and posture.reviewer_kind != PERSON:
        who = f"{shown(posture.reviewed_by)} is {shown(posture.reviewer_kind)}"
        return field, f"`{field}` does not say that a person reviewed it: {who}"
    return None
