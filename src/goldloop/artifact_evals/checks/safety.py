"""Is an artifact labelled with what is at stake, and did a person let it through? Pure."""

from goldloop.artifact_evals.loops import STRICTNESS, KnowledgeSafetyClass, ReviewGate
from goldloop.artifact_evals.model import Check, CheckResult, KnowledgeArtifact
from goldloop.artifact_evals.values import is_filled, shown

PERSON = "user"
_NEEDS_GATE = frozenset(STRICTNESS) - {KnowledgeSafetyClass.INFORMATIONAL.value}


def require_safety_label(at_least: KnowledgeSafetyClass, gate: ReviewGate) -> Check:
    """Labelled `at_least` or stricter, review asked for, and in a gated status a person named who did it.

    All or nothing: half a gate lets everything through. What an agent or the system approved counts as not approved.
    """
    gated = frozenset(gate.statuses)
    strict_enough = frozenset(
        label for label in STRICTNESS if STRICTNESS[label] >= STRICTNESS[at_least.value]
    )

    def run(artifact: KnowledgeArtifact) -> CheckResult:
        posture, status = artifact.safety, artifact.status
        label = posture.safety_class
        if not isinstance(label, str) or label not in strict_enough:
            return _failed(gate.safety_field, _label_fault(label, at_least))
        if posture.review_required is not True and label in _NEEDS_GATE:
            asked = shown(posture.review_required)
            return _failed(gate.required_field, f"is {asked}; a {label} record needs a person's review")
        finding = f"`{gate.safety_field}` is {label}"
        if status not in gated:
            return CheckResult(
                True, 1.0, f"{finding}; no review is due in status {shown(status)}", gate.fields
            )
        by = posture.reviewed_by
        if not is_filled(by):
            return _failed(gate.reviewer_field, f"names nobody, and it is {status}")
        if posture.reviewer_kind != PERSON:
            who = f"{shown(by)} is {shown(posture.reviewer_kind)}"
            return _failed(gate.reviewer_kind_field, f"does not say that a person reviewed it: {who}")
        return CheckResult(
            True, 1.0, f"{finding}, and `{gate.reviewer_field}` names {shown(by)}", gate.fields
        )

    return Check(name="require_safety_label", run=run, fields=gate.fields)


def _label_fault(label: object, at_least: KnowledgeSafetyClass) -> str:
    if isinstance(label, str) and label in STRICTNESS:
        return f"is {label}, weaker than {at_least.value}, which this kind of record is"
    stricter = "" if at_least == KnowledgeSafetyClass.CLINICAL else " or stricter"
    return f"is {shown(label)}; label it {at_least.value}{stricter}"


def _failed(field: str, fault: str) -> CheckResult:
    return CheckResult(False, 0.0, f"`{field}` {fault}", (field,))
