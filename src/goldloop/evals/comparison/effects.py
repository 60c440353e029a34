"""What a session changed: its successful writes, as a set, on the arguments that the tools declare. Pure.

Of all that two runs can be compared by, this predicts best whether they come to the same (design/evals.md).
"""

from collections.abc import Iterable
from typing import Any

import msgspec

from goldloop.evals.arguments import canonical, declared_tree, leaves, prune
from goldloop.evals.model import DimensionResult, Divergence, DivergenceKind, Effects, ToolShape
from goldloop.evals.recorded import Call, Recorded, Tools

Key = tuple[str, Any]


class EffectsFound(msgspec.Struct, frozen=True, kw_only=True):
    dimension: DimensionResult
    divergences: list[Divergence]
    any_write: bool


def call_key(call: Call, shape: ToolShape) -> Key:
    """Equal for calls that ask for the same."""
    declared = None if shape.arguments is None else declared_tree(tuple(shape.arguments))
    return call.name, canonical(call.arguments, declared)


def writes_of(session: Recorded, tools: Tools) -> dict[Key, Call]:
    """The successful writes, the first of each that are equal: to do the same again changes nothing."""
    found: dict[Key, Call] = {}
    for call in session.calls:
        if call.error is None and tools.writes(call.name):
            found.setdefault(call_key(call, tools.shape(call.name)), call)
    return found


def compare_effects(
    golden: Recorded, replay: Recorded, tools: Tools, rule: Effects, weight: float
) -> EffectsFound:
    wanted, done = writes_of(golden, tools), writes_of(replay, tools)
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
    arguments = _pruned(call, tools)
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


def _pruned(call: Call, tools: Tools) -> Any:
    shape = tools.shape(call.name)
    return prune(call.arguments, None if shape.arguments is None else declared_tree(tuple(shape.arguments)))


def _pairs(missing: list[Call], unexpected: list[Call], tools: Tools) -> list[tuple[Call, Call]]:
    alike = sorted(
        (
            (-_overlap(_leaves(a, tools), _leaves(b, tools)), i, j)
            for i, a in enumerate(missing)
            for j, b in enumerate(unexpected)
            if a.name == b.name
        ),
    )
    pairs: list[tuple[Call, Call]] = []
    used: tuple[set[int], set[int]] = (set(), set())
    for _, i, j in alike:
        if i not in used[0] and j not in used[1]:
            used[0].add(i), used[1].add(j)
            pairs.append((missing[i], unexpected[j]))
    return pairs


def _leaves(call: Call, tools: Tools) -> dict[str, Any]:
    return dict(leaves(_pruned(call, tools)))


def _overlap(a: dict[str, Any], b: dict[str, Any]) -> float:
    """The share of leaves that are equal."""
    same = sum(path in b and canonical(value) == canonical(b[path]) for path, value in a.items())
    return same / max(len(a.keys() | b.keys()), 1)


def _arguments_differ(golden: Call, replay: Call, tools: Tools) -> Iterable[Divergence]:
    wanted, done = _leaves(golden, tools), _leaves(replay, tools)
    for path in dict.fromkeys([*wanted, *done]):
        if path in wanted and path in done and canonical(wanted[path]) == canonical(done[path]):
            continue
        yield Divergence(
            kind=DivergenceKind.WRONG_WRITE_ARGUMENT,
            message=f"{golden.name} was done with another {path or 'argument'}",
            tool=golden.name,
            path=path,
            golden=wanted.get(path),
            replay=done.get(path),
            golden_event=golden.place,
            replay_event=replay.place,
        )
