"""What a session changed: its successful writes, as a set, on the arguments that the tools declare. Pure.

Of all that two runs can be compared by, this predicts best whether they come to the same (design/evals.md).
"""

from collections.abc import Iterable
from typing import Any

import msgspec

from goldloop.evals.arguments import Declared, canonical, declared_tree, differences, leaves, prune
from goldloop.evals.model import DimensionResult, Divergence, DivergenceKind, Effects
from goldloop.evals.recorded import Call, Recorded, Tools

UNANSWERED = "miss"  # what `answered_by` is of such a call
MOST_COMPARED = 100  # pairs of writes of one tool of which the most alike are looked for

Key = tuple[str, Any]


class EffectsFound(msgspec.Struct, frozen=True, kw_only=True):
    dimension: DimensionResult
    divergences: list[Divergence]
    any_write: bool


def call_key(call: Call, tools: Tools) -> Key:
    """Equal for calls that ask for the same."""
    if call.key is None:
        call.key = call.name, canonical(call.arguments, _declared(call, tools))
    key: Key = call.key
    return key


def writes_of(session: Recorded, tools: Tools) -> list[Call]:
    """Those that worked, and in a replay those that no recording answered: nobody knows that they would have failed."""
    return [
        call
        for call in session.calls
        if (call.error is None or call.source == UNANSWERED) and tools.writes(call.name)
    ]


def by_key(writes: list[Call], tools: Tools) -> dict[Key, Call]:
    """The first of each that are equal: to do the same again changes nothing."""
    found: dict[Key, Call] = {}
    for call in writes:
        found.setdefault(call_key(call, tools), call)
    return found


def _share_keys(golden: list[Call], replay: list[Call]) -> None:
    """A write that stands in its place word for word has the key of the golden's, which costs nothing to find."""
    for call, other in zip(golden, replay, strict=False):
        if other.name == call.name and other.arguments == call.arguments:
            other.key = call.key


def compare_effects(
    golden: Recorded, replay: Recorded, tools: Tools, rule: Effects, weight: float
) -> EffectsFound:
    golden_writes, replay_writes = writes_of(golden, tools), writes_of(replay, tools)
    wanted = by_key(golden_writes, tools)
    _share_keys(golden_writes, replay_writes)
    done = by_key(replay_writes, tools)
    missing = [call for key, call in wanted.items() if key not in done]
    unexpected = [call for key, call in done.items() if key not in wanted]
    common = len(wanted) - len(missing)
    any_write = bool(wanted or done)
    if rule is Effects.OFF:
        reason = f"{common} of {len(wanted)} writes are the same; this golden leaves them out"
        off = DimensionResult(score=None, passed=None, weight=0.0, reason=reason)
        return EffectsFound(dimension=off, divergences=[], any_write=any_write)
    if rule is Effects.CONTAINS:
        score = common / len(wanted) if wanted else 1.0
        unexpected_counts: list[Call] = []
    else:
        score = 2 * common / (len(wanted) + len(done)) if any_write else 1.0
        unexpected_counts = unexpected
    passed = not missing and not unexpected_counts
    dimension = DimensionResult(
        score=score,
        passed=passed,
        weight=weight,
        required=True,
        reason=_reason(len(wanted), len(done), common, rule, tools.guessed),
    )
    divergences = [] if passed else _divergences(missing, unexpected, unexpected_counts, tools)
    return EffectsFound(dimension=dimension, divergences=divergences, any_write=any_write)


def _reason(wanted: int, done: int, common: int, rule: Effects, guessed: set[str]) -> str:
    if not wanted and not done:
        return "Neither changed anything"
    text = f"{common} of the golden's {wanted} writes, and {done - common} others"
    if rule is Effects.CONTAINS:
        text += ", which are allowed"
    return f"{text}; guessed by name to be writes: {', '.join(sorted(guessed))}" if guessed else text


def _divergences(
    missing: list[Call], unexpected: list[Call], unexpected_counts: list[Call], tools: Tools
) -> list[Divergence]:
    """What is missing and what is too much of the same tool are one write with another argument, the most alike first."""
    pairs = _pairs(missing, unexpected, tools) if missing and unexpected else []
    paired = {id(call) for pair in pairs for call in pair}
    found = [_write(DivergenceKind.MISSING_WRITE, call, tools) for call in missing if id(call) not in paired]
    found += [
        _write(DivergenceKind.UNEXPECTED_WRITE, call, tools)
        for call in unexpected_counts
        if id(call) not in paired
    ]
    for golden, replay in pairs:
        found += _arguments_differ(golden, replay, tools)
    return found


def _write(kind: DivergenceKind, call: Call, tools: Tools) -> Divergence:
    arguments = prune(call.arguments, _declared(call, tools))
    if kind is DivergenceKind.MISSING_WRITE:
        return Divergence(
            kind=kind,
            message=f"The golden's {call.name} was not done",
            tool=call.name,
            golden=arguments,
            golden_event=call.place,
        )
    return Divergence(
        kind=kind,
        message=f"{call.name} was done, which the golden does not do",
        tool=call.name,
        replay=arguments,
        replay_event=call.place,
    )


def _declared(call: Call, tools: Tools) -> Declared | None:
    paths = tools.shape(call.name).arguments
    return None if paths is None else declared_tree(tuple(paths))


def _pairs(missing: list[Call], unexpected: list[Call], tools: Tools) -> list[tuple[Call, Call]]:
    """Of the same tool; where there are many, as they come."""
    by_name: dict[str, list[Call]] = {}
    for call in unexpected:
        by_name.setdefault(call.name, []).append(call)
    pairs: list[tuple[Call, Call]] = []
    for name, others in by_name.items():
        same = [call for call in missing if call.name == name]
        if len(same) == 1 == len(others) or len(same) * len(others) > MOST_COMPARED:
            pairs += zip(same, others, strict=False)
        else:
            pairs += _most_alike(same, others, tools)
    return pairs


def _most_alike(missing: list[Call], unexpected: list[Call], tools: Tools) -> list[tuple[Call, Call]]:
    wanted = [_leaf_set(call, tools) for call in missing]
    done = [_leaf_set(call, tools) for call in unexpected]
    alike = sorted(
        (-len(a & b) / max(len(a | b), 1), i, j) for i, a in enumerate(wanted) for j, b in enumerate(done)
    )
    pairs: list[tuple[Call, Call]] = []
    taken: set[tuple[str, int]] = set()
    for _, i, j in alike:
        if not taken & (both := {("golden", i), ("replay", j)}):
            taken |= both
            pairs.append((missing[i], unexpected[j]))
    return pairs


def _leaf_set(call: Call, tools: Tools) -> set[tuple[str, Any]]:
    pruned = prune(call.arguments, _declared(call, tools))
    return {(path, canonical(value)) for path, value in leaves(pruned)}


def _arguments_differ(golden: Call, replay: Call, tools: Tools) -> Iterable[Divergence]:
    for path, wanted, done in differences(golden.arguments, replay.arguments, _declared(golden, tools)):
        yield Divergence(
            kind=DivergenceKind.WRONG_WRITE_ARGUMENT,
            message=f"{golden.name} was done with another {path or 'argument'}",
            tool=golden.name,
            path=path,
            golden=wanted,
            replay=done,
            golden_event=golden.place,
            replay_event=replay.place,
        )
