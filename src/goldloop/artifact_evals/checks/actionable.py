"""Does an artifact say what to do, precisely enough to start? Pure."""

from goldloop.artifact_evals.model import Check, CheckResult, KnowledgeArtifact
from goldloop.artifact_evals.values import (
    READ,
    count_unspaced,
    find_vague,
    find_value,
    is_filled,
    named,
    numbered,
    shown,
    split_path,
)

MIN_WORDS = 4  # who does what to which: fewer words leave one of them open


def require_actionable_payload(
    field: str,
    *,
    text_keys: tuple[str, ...] = ("action", "text"),
    also: tuple[str, ...] = (),
    minimum: int = 1,
    min_words: int = MIN_WORDS,
) -> Check:
    """Every step in `field` has at least `min_words` words and no vague phrase, and there are `minimum` steps or more.

    The field is a text, a list of texts, or a list of objects whose text is under the first of `text_keys` that is there;
    `also` are keys that every such object has filled in (`owner`, `frequency`).
    """
    if minimum < 1:
        raise ValueError("require_actionable_payload needs at least one step")
    path, fields = split_path(field), (field,)

    def run(artifact: KnowledgeArtifact) -> CheckResult:
        value = find_value(artifact.fields, field, path)
        if not is_filled(value):
            return CheckResult(False, 0.0, f"`{field}` is empty: nobody can act on it", fields)
        steps = value if isinstance(value, list) else (value,)
        faults = [
            f"`{field}[{place}]` {fault}" if steps is value else f"`{field}` {fault}"
            for place, step in enumerate(steps)
            if (fault := _fault(step, text_keys, also, min_words)) is not None
        ]
        count = len(steps)
        if not faults and count >= minimum:
            return CheckResult(True, 1.0, f"`{field}` says what to do in {numbered(count, 'step')}", fields)
        score = (count - len(faults)) / max(count, minimum)
        if not faults:
            return CheckResult(False, score, f"`{field}` has {count} of {numbered(minimum, 'step')}", fields)
        more = f" (and {len(faults) - 1} more like it)" if len(faults) > 1 else ""
        return CheckResult(False, score, f"{faults[0]}{more}", fields)

    return Check(name="require_actionable_payload", run=run, fields=fields)


def _fault(step: object, text_keys: tuple[str, ...], also: tuple[str, ...], min_words: int) -> str | None:
    """What keeps a step from being one that can be done; None for nothing."""
    text = step
    if isinstance(step, dict):
        text = next((step[key] for key in text_keys if key in step), None)
        if missing := [key for key in also if not is_filled(step.get(key))]:
            return f"leaves {named(missing)} open"
    if not isinstance(text, str):
        return "has no text that says what to do"
    words = text[:READ].casefold().split()
    if len(words) < min_words and count_unspaced(text[:READ]) < min_words:
        return f"says {shown(text)}: too short to act on"
    vague = find_vague(words)
    return f"says “{vague}”, which everybody reads differently: {shown(text)}" if vague else None
