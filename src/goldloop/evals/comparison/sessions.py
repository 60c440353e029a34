"""The single source of when a replay passes: `compare`, by the type of the session. Pure.

A replay passes when it was completed, all required dimensions pass and `overall_accuracy` reaches `PASS_AT`. Weights and
threshold are measured on real runs (design/evals.md).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from goldloop.evals.comparison.effects import UNANSWERED, EffectsFound, compare_effects
from goldloop.evals.comparison.outputs import compare_outputs
from goldloop.evals.comparison.tools import (
    compare_order,
    compare_records,
    compare_tool_args,
    compare_tool_names,
    shown,
)
from goldloop.evals.comparison.values import compare_values, is_submission, submission_of
from goldloop.evals.comparison.words import keyword_overlap, missing_facts
from goldloop.evals.model import (
    RANK,
    Comparison,
    DimensionResult,
    Divergence,
    DivergenceKind,
    Effects,
    InvalidSession,
)
from goldloop.evals.recorded import Recorded, Tools, read_session

OF_EFFECTS = 0.80  # what was changed predicts the outcome; nothing in words does so beyond one domain
OF_TOOLS = 0.10
OF_TEXT = 0.10
OF_OUTPUT = 0.50  # of a tool that also changes something; of one that does not, all
PASS_AT = 0.80
ROUNDING = 1e-9
TEXT_DIFFERS = 0.5  # a final message that shares less is worth a look
COMPLETED = "completed"
_EXTRACTIONS = ("field", "fields")

Similarity = Callable[[str, str], float]
Parts = tuple[dict[str, DimensionResult], list[Divergence]]


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What a golden asks for beside its events."""

    effects: Effects
    facts: Sequence[str]
    criteria: Any
    ignore: Sequence[str]


def compare(
    golden: Mapping[str, Any], replay: Mapping[str, Any], *, similarity: Similarity | None = None
) -> Comparison:
    """How far a replay did what its golden did.

    Both are `{type, status, events: [{type, payload}, …], tools?: {name: {writes, arguments}}, output?}`. The golden also
    `effects` (`exact`, `contains` or `off`), `facts` (texts that must be said), `criteria` (the dimensions of a response),
    `ignore` (paths of an output) and `alternatives`: other goldens that are as good, of which the nearest counts; what one
    of them does not say is as in the golden. `similarity` compares the meaning of two texts, between 0 and 1; without it
    the final messages are compared by their words alone. Raises InvalidSession.
    """
    found = _compare(golden, replay, similarity, "golden")
    alternatives = golden.get("alternatives") or ()
    for number, alternative in enumerate(alternatives):
        if found.passed:
            break
        if not isinstance(alternative, Mapping):
            raise InvalidSession(f"golden.alternatives[{number}]", "an alternative is a session")
        path = f"golden.alternatives[{number}]"
        other = _compare({**_inherited(golden), **alternative}, replay, similarity, path)
        if _nearness(other) > _nearness(found):
            found = msgspec.structs.replace(other, alternative=number)
    return found


def _inherited(golden: Mapping[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in golden.items() if k not in ("events", "output", "alternatives")}


def _nearness(found: Comparison) -> tuple[bool, float]:
    return found.passed, -1.0 if found.overall_accuracy is None else found.overall_accuracy


def _compare(golden: Any, replay: Any, similarity: Similarity | None, path: str) -> Comparison:
    wanted_session, done = read_session(golden, path), read_session(replay, "replay")
    tools = Tools({**done.tools, **wanted_session.tools})
    wanted = _wanted(golden, path)
    parts = _PARTS[_kind(golden, wanted_session.type)](wanted_session, done, tools, wanted, similarity)
    dimensions, divergences = _always(wanted_session, done, tools, wanted)
    dimensions = {**parts[0], **dimensions}
    divergences = sorted([*parts[1], *divergences], key=lambda divergence: RANK[divergence.kind])
    overall = _overall(dimensions)
    return Comparison(
        session_type=wanted_session.type,
        dimensions=dimensions,
        overall_accuracy=overall,
        divergences=divergences,
        passed=_passes(dimensions, overall, wanted.effects),
    )


def _kind(golden: Mapping[str, Any], session_type: str) -> str:
    """Extractions are sessions of agents whose output are fields of a record."""
    if session_type in ("response", "tool", "extraction"):
        return session_type
    return "extraction" if golden.get("output_type") in _EXTRACTIONS else "agent"


def _wanted(golden: Mapping[str, Any], path: str) -> Wanted:
    try:
        effects = Effects(golden.get("effects") or Effects.EXACT)
    except ValueError:
        raise InvalidSession(f"{path}.effects", "effects are exact, contains or off") from None
    facts = golden.get("facts") or ()
    if isinstance(facts, str) or not all(isinstance(fact, str) and fact.strip() for fact in facts):
        raise InvalidSession(f"{path}.facts", "facts are a list of texts that must be said")
    return Wanted(
        effects=effects, facts=facts, criteria=golden.get("criteria"), ignore=golden.get("ignore") or ()
    )


def _overall(dimensions: Mapping[str, DimensionResult]) -> float | None:
    weighed = [(d.score, d.weight) for d in dimensions.values() if d.score is not None and d.weight]
    total = sum(weight for _, weight in weighed)
    return sum(score * weight for score, weight in weighed) / total if total else None


def _passes(dimensions: Mapping[str, DimensionResult], overall: float | None, effects: Effects) -> bool:
    if any(dimension.required and dimension.passed is False for dimension in dimensions.values()):
        return False
    if effects is Effects.OFF and "effects" in dimensions and "final_message" in dimensions:
        return True  # what is left are tools and words, which predict nothing: facts and rubrics decide
    return overall is None or overall >= PASS_AT - ROUNDING


def _always(golden: Recorded, replay: Recorded, tools: Tools, wanted: Wanted) -> Parts:
    """What any replay has to do: come to an end, and say what must be said."""
    completed, ended = replay.status == COMPLETED, f"The replay ended as {replay.status}"
    if completed and _breaks_off(golden, replay, tools):
        completed, ended = False, f"The replay ended on {replay.calls[-1].name}, without a word about it"
    dimensions = {
        "completed": DimensionResult(
            score=float(completed), passed=completed, weight=0.0, reason=ended, required=True
        )
    }
    divergences = []
    if not completed:
        divergences.append(
            Divergence(
                kind=DivergenceKind.NOT_COMPLETED, message=ended, golden=golden.status, replay=replay.status
            )
        )
    if any(call.source is not None for call in replay.calls):
        dimensions["fidelity"] = _fidelity(replay, tools)
    if wanted.facts:
        dimension, missing = _facts(replay, wanted.facts)
        dimensions["facts"] = dimension
        divergences += missing
    return dimensions, divergences


def _fidelity(replay: Recorded, tools: Tools) -> DimensionResult:
    """Of a session that was answered from recordings: the share of its reads that were."""
    reads = [call for call in replay.calls if not tools.writes(call.name)]
    missed = sum(call.source == UNANSWERED for call in reads)
    reason = f"{len(reads) - missed} of {len(reads)} reads were answered"
    return shown(1 - missed / len(reads) if reads else None, reason)


def _breaks_off(golden: Recorded, replay: Recorded, tools: Tools) -> bool:
    """Whether a replay changed something and then said nothing, where the golden tells what it did."""
    return (
        _ends_silent(replay)
        and replay.output is None
        and tools.writes(replay.calls[-1].name)
        and not _ends_silent(golden)
    )


def _ends_silent(session: Recorded) -> bool:
    last_text = session.texts[-1][0] if session.texts else -1
    return bool(session.calls) and session.calls[-1].place > last_text


def _facts(replay: Recorded, facts: Sequence[str]) -> tuple[DimensionResult, list[Divergence]]:
    texts = [text for _, text in replay.texts]
    if isinstance(replay.output, str):
        texts.append(replay.output)
    missing = missing_facts(facts, texts)
    dimension = DimensionResult(
        score=1 - len(missing) / len(facts),
        passed=not missing,
        weight=0.0,
        reason=f"{len(facts) - len(missing)} of {len(facts)} required facts were said",
        required=True,
    )
    return dimension, [
        Divergence(kind=DivergenceKind.MISSING_FACT, message=f"“{fact}” was not said", path=fact, golden=fact)
        for fact in missing
    ]


def _agent(
    golden: Recorded, replay: Recorded, tools: Tools, wanted: Wanted, similarity: Similarity | None
) -> Parts:
    effects = compare_effects(golden, replay, tools, wanted.effects, OF_EFFECTS)
    names, tool_divergences = compare_tool_names(golden, replay, OF_TOOLS)
    text, text_divergences = _final_message(golden, replay, similarity)
    dimensions = {
        "effects": effects.dimension,
        "tool_calls": names,
        "final_message": text,
        "tool_args": compare_tool_args(golden, replay, tools),
        "order": compare_order([c.name for c in golden.calls], [c.name for c in replay.calls]),
        **compare_records(golden, replay, tools),
    }
    return dimensions, [*effects.divergences, *tool_divergences, *text_divergences]


def _final_message(
    golden: Recorded, replay: Recorded, similarity: Similarity | None
) -> tuple[DimensionResult, list[Divergence]]:
    wanted, found = golden.final_text, replay.final_text
    words = keyword_overlap(wanted, found)
    if similarity is None:
        score, reason = words, f"{words:.0%} of the words are in both; compared by keywords alone"
    else:
        meaning = min(1.0, max(0.0, similarity(wanted, found)))
        score = (words + meaning) / 2
        reason = f"{words:.0%} of the words are in both, and the meaning is alike by {meaning:.2f}"
    dimension = DimensionResult(score=score, passed=score >= TEXT_DIFFERS, weight=OF_TEXT, reason=reason)
    if score >= TEXT_DIFFERS:
        return dimension, []
    divergence = Divergence(
        kind=DivergenceKind.TEXT,
        message="The final message is worded otherwise",
        golden=wanted,
        replay=found,
        golden_event=golden.texts[-1][0] if golden.texts else None,
        replay_event=replay.texts[-1][0] if replay.texts else None,
    )
    return dimension, [divergence]


def _response(
    golden: Recorded, replay: Recorded, tools: Tools, wanted: Wanted, similarity: Similarity | None
) -> Parts:
    """The values that were submitted are what counts; another write than that is still one too many."""
    values, value_divergences = compare_values(
        submission_of(golden), submission_of(replay), wanted.criteria, similarity
    )
    effects = _other_effects(golden, replay, tools, wanted)
    dimensions = {**values, "effects": effects.dimension}
    return dimensions, [*effects.divergences, *value_divergences]


def _other_effects(golden: Recorded, replay: Recorded, tools: Tools, wanted: Wanted) -> EffectsFound:
    def without(session: Recorded) -> Recorded:
        return msgspec.structs.replace(session, calls=[c for c in session.calls if not is_submission(c)])

    return compare_effects(without(golden), without(replay), tools, wanted.effects, 0.0)


def _tool(
    golden: Recorded, replay: Recorded, tools: Tools, wanted: Wanted, similarity: Similarity | None
) -> Parts:
    effects = compare_effects(golden, replay, tools, wanted.effects, OF_EFFECTS)
    weight = OF_OUTPUT if effects.any_write and effects.dimension.score is not None else 0.0
    output, output_divergences = compare_outputs(
        _output_of(golden), _output_of(replay), wanted.ignore, 1.0 - weight
    )
    dimensions = {
        "output": output,
        "effects": msgspec.structs.replace(effects.dimension, weight=weight),
        **compare_records(golden, replay, tools),
    }
    return dimensions, [*effects.divergences, *output_divergences]


def _output_of(session: Recorded) -> Any:
    """What the session put out, or else what its last tool answered."""
    if session.output is not None or not session.calls:
        return session.output
    last = session.calls[-1]
    return last.result if last.error is None else {"error": last.error}


_PARTS: dict[str, Callable[[Recorded, Recorded, Tools, Wanted, Similarity | None], Parts]] = {
    "agent": _agent,
    "response": _response,
    "extraction": _response,
    "tool": _tool,
}
