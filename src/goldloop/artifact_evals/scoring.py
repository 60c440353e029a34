"""The single source of an artifact's score.

    a dimension's score = the lowest of its checks'        passed when all of them pass
    overall             = Σ weight·score / Σ weight        over the dimensions that have a score
    a gap's importance  = weight · (1 − score)             a check without a score counts as 0

A dimension that the rubric leaves out has no score and no gap: it does not count, and its reason says why.

A check that crashes, or answers with something else than a verdict, has failed, without a score and with that as its
reason. Pure.
"""

from goldloop.artifact_evals.model import (
    Check,
    CheckResult,
    DimensionResult,
    Gap,
    KnowledgeArtifact,
    KnowledgeDimension,
    KnowledgeResult,
)
from goldloop.artifact_evals.normalize import is_normalized, normalize
from goldloop.artifact_evals.rubric import KnowledgeRubric
from goldloop.artifact_evals.values import describe_error, identity, printable, shown

UNCHECKED = CheckResult(False, None, "nothing in the rubric checks this: add a check")


def score_knowledge_artifact(artifact: KnowledgeArtifact, rubric: KnowledgeRubric) -> KnowledgeResult:
    """Every dimension with its reason, and what to fix first."""
    subject = artifact if is_normalized(artifact) else normalize(artifact)
    dimensions: list[DimensionResult] = []
    gaps: list[Gap] = []
    total = weighed = 0.0
    for dimension, weight, checks, left_out in rubric.plan:
        if left_out is not None:
            dimensions.append(DimensionResult(dimension, True, None, f"left out: {left_out}", (), True))
            continue
        worst = UNCHECKED
        for check in checks:
            result = _run(check, subject)
            if not result.passed:
                gaps.append(_gap(dimension, weight, check.name, result))
            if worst is UNCHECKED or _rank(result) < _rank(worst):
                worst = result
        if worst is UNCHECKED:
            gaps.append(_gap(dimension, weight, "", worst))
        score = worst.score
        dimensions.append(DimensionResult(dimension, worst.passed, score, worst.reason, worst.fields))
        if score is not None:
            total += weight * score
            weighed += weight
    if len(gaps) > 1:
        gaps.sort(key=lambda gap: -gap.importance)  # stable: equals stay in the order of the dimensions
    return KnowledgeResult(
        identity(artifact.id),
        rubric.name,
        rubric.version,
        not gaps,
        min(1.0, total / weighed) if weighed else None,
        tuple(dimensions),
        tuple(gaps),
    )


def _gap(dimension: KnowledgeDimension, weight: float, check: str, result: CheckResult) -> Gap:
    return Gap(
        dimension=dimension,
        check=check,
        fields=result.fields,
        reason=result.reason,
        score=result.score,
        importance=weight * (1.0 - (result.score or 0.0)),
    )


def _run(check: Check, artifact: KnowledgeArtifact) -> CheckResult:
    try:
        result = check.run(artifact)
        if not isinstance(result, CheckResult):
            raise TypeError(f"it returned {shown(result)}, not a CheckResult")
        if result.score is not None and not 0 <= result.score <= 1:
            raise ValueError(f"its score is {result.score}, not within 0 and 1")
        if result.passed is not True:
            _check_failure(result)
    except (Exception, SystemExit) as error:
        return CheckResult(False, None, f"{check.name} crashed: {describe_error(error)}", check.fields)
    if result.passed or result.reason.isprintable():
        return result
    return CheckResult(False, result.score, printable(result.reason), result.fields)


def _check_failure(result: CheckResult) -> None:
    """What is shown and kept of a failure is what it is declared to be; nothing looked while it was made."""
    if result.passed is not False:
        raise TypeError(f"passed is {shown(result.passed)}, neither true nor false")
    if not isinstance(result.reason, str):
        raise TypeError(f"its reason is {shown(result.reason)}, not a text")
    if not isinstance(result.fields, tuple) or not all(isinstance(field, str) for field in result.fields):
        raise TypeError("its fields are not a tuple of names")


def _rank(result: CheckResult) -> tuple[bool, float]:
    """Failures first, then the lower score; what is not due comes after every score."""
    missing = 2.0 if result.passed else -1.0
    return result.passed, missing if result.score is None else result.score
