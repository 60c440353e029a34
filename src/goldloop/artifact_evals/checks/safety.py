"""Is an artifact labelled with what is at stake, and did a person let it through? Pure."""

from goldloop.artifact_evals.loops import STRICTNESS, KnowledgeSafetyClass, ReviewGate, ReviewProof
from goldloop.artifact_evals.model import Check, CheckResult, FieldProvenance, KnowledgeArtifact
from goldloop.artifact_evals.values import is_filled, shown

PERSON = "user"
PROMOTION = "promotion"
_NEEDS_GATE = frozenset(STRICTNESS) - {KnowledgeSafetyClass.INFORMATIONAL.value}


def require_safety_label(at_least: KnowledgeSafetyClass, gate: ReviewGate) -> Check:
    """Labelled `at_least` or stricter, review asked for, and in a gated status a person who let it through.

    All or nothing: half a gate lets everything through. What an agent or the system approved counts as not approved. By
    the gate's `proof` it is the fields that name the person, Goldloop's history of who promoted the status, or either.
    """
    gated = frozenset(gate.statuses)
    strict_enough = frozenset(
        label for label in STRICTNESS if STRICTNESS[label] >= STRICTNESS[at_least.value]
    )
    history = () if gate.proof == ReviewProof.TEXT else (gate.status_field,)

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
        source = artifact.provenance.get(gate.status_field) if history else None
        if source is not None and _is_let_through(source):
            return CheckResult(True, 1.0, f"{finding}, and {_promotion(source, gate)}", gate.fields)
        if gate.proof == ReviewProof.HISTORY:
            return _failed(gate.status_field, _history_fault(source, status))
        by = posture.reviewed_by
        if not is_filled(by):
            return _failed(gate.reviewer_field, f"names nobody, and it is {status}")
        if posture.reviewer_kind != PERSON:
            who = f"{shown(by)} is {shown(posture.reviewer_kind)}"
            return _failed(gate.reviewer_kind_field, f"does not say that a person reviewed it: {who}")
        return CheckResult(
            True, 1.0, f"{finding}, and `{gate.reviewer_field}` names {shown(by)}", gate.fields
        )

    return Check(name="require_safety_label", run=run, fields=gate.fields, provenance=history)


def _is_let_through(source: FieldProvenance) -> bool:
    """Only who may review can promote, so a promotion by a person is a reviewer's."""
    return source.kind == PROMOTION and source.by_kind == PERSON


def _promotion(source: FieldProvenance, gate: ReviewGate) -> str:
    when = f" on {source.at[:10]}" if source.at else ""
    return f"{shown(source.by)} promoted `{gate.status_field}`{when}"


def _history_fault(source: FieldProvenance | None, status: str | None) -> str:
    if source is None:
        return f"is {shown(status)}, and nothing is known of who promoted it"
    if source.kind != PROMOTION:
        return f"was not promoted: it is {shown(status)} by {shown(source.kind)} of {shown(source.by)}"
    return f"was promoted by {shown(source.by)}, who is {shown(source.by_kind)} and no person"


def _label_fault(label: object, at_least: KnowledgeSafetyClass) -> str:
    if isinstance(label, str) and label in STRICTNESS:
        return f"is {label}, weaker than {at_least.value}, which this kind of record is"
    stricter = "" if at_least == KnowledgeSafetyClass.CLINICAL else " or stricter"
    return f"is {shown(label)}; label it {at_least.value}{stricter}"


def _failed(field: str, fault: str) -> CheckResult:
    return CheckResult(False, 0.0, f"`{field}` {fault}", (field,))
