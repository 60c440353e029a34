"""Compares which tools two sessions called: by name, by arguments, in which order, and which records that touched. Pure.

Only the names weigh anything, and little: runs that reach the same by other reads are as good (design/evals.md).
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import Any

from goldloop.evals.comparison.effects import call_key
from goldloop.evals.model import DimensionResult, Divergence, DivergenceKind
from goldloop.evals.recorded import Call, Recorded, Tools
from goldloop.evals.tool_names import looks_creating


def shown(score: float | None, reason: str) -> DimensionResult:
    """A dimension that decides nothing."""
    return DimensionResult(
        score=score, passed=None if score is None else score == 1, weight=0.0, reason=reason
    )


def compare_tool_names(
    golden: Recorded, replay: Recorded, weight: float
) -> tuple[DimensionResult, list[Divergence]]:
    """The share of all tools that both called, whatever the order and how often."""
    wanted: dict[str, Call] = {}
    for call in golden.calls:
        wanted.setdefault(call.name, call)
    called: dict[str, Call] = {}
    for call in replay.calls:
        called.setdefault(call.name, call)
    missing, extra = [n for n in wanted if n not in called], [n for n in called if n not in wanted]
    union = len(wanted) + len(extra)
    score = (len(wanted) - len(missing)) / union if union else 1.0
    divergences = [
        Divergence(
            kind=DivergenceKind.MISSING_TOOL,
            message=f"{name} was not called",
            tool=name,
            golden_event=wanted[name].place,
        )
        for name in missing
    ] + [
        Divergence(
            kind=DivergenceKind.EXTRA_TOOL,
            message=f"{name} was called, which the golden does not call",
            tool=name,
            replay_event=called[name].place,
        )
        for name in extra
    ]
    reason = (
        f"{union - len(missing) - len(extra)} of {union} tools were called by both" if union else "No tools"
    )
    return DimensionResult(score=score, passed=score == 1, weight=weight, reason=reason), divergences


def compare_tool_args(golden: Recorded, replay: Recorded, tools: Tools) -> DimensionResult:
    """How many calls, by name and arguments, are the same: the harmonic mean of both shares."""
    both = _count_same(golden.calls, replay.calls, tools)
    total = len(golden.calls) + len(replay.calls)
    return shown(
        2 * both / total if total else 1.0,
        f"{both} of {len(golden.calls)} calls were made with the same arguments, of {len(replay.calls)} in all",
    )


def _count_same(wanted: list[Call], called: list[Call], tools: Tools) -> int:
    """Those that are the same as they stand first: only the rest has to be read closely."""
    waiting: dict[str, list[Call]] = {}
    for call in called:
        waiting.setdefault(call.name, []).append(call)
    same, rest = 0, []
    for call in wanted:
        others = waiting.get(call.name, ())
        for place, other in enumerate(others):
            if call.arguments == other.arguments:
                del waiting[call.name][place]
                same += 1
                break
        else:
            if others:
                rest.append(call)
    if not rest:
        return same
    left = Counter(call_key(c, tools) for others in waiting.values() for c in others)
    return same + sum((Counter(call_key(c, tools) for c in rest) & left).values())


def compare_order(golden: Sequence[Hashable], replay: Sequence[Hashable]) -> DimensionResult:
    """The longest run of tools that both called in this order."""
    longest, total = longest_common(golden, replay), len(golden) + len(replay)
    return shown(
        2 * longest / total if total else 1.0,
        f"{longest} calls in the golden's order, of {len(golden)} there and {len(replay)} here",
    )


def longest_common(a: Sequence[Hashable], b: Sequence[Hashable]) -> int:
    """The length of the longest common subsequence, with a bit for each element of `a`."""
    places: dict[Hashable, int] = {}
    for place, each in enumerate(a):
        places[each] = places.get(each, 0) | 1 << place
    row = everything = (1 << len(a)) - 1
    for each in b:
        matches = row & places.get(each, 0)
        row = (row + matches | row - matches) & everything
    return len(a) - row.bit_count()


def compare_records(golden: Recorded, replay: Recorded, tools: Tools) -> dict[str, DimensionResult]:
    """Records that were made and changed: by the events of the records, and where neither session has any, by the
    successful writes and the ids among their arguments."""
    of_events = bool(golden.changes or replay.changes)
    read = _changes if of_events else _touched
    (made, changed), (made_here, changed_here) = read(golden, tools), read(replay, tools)
    return {
        "entities_created": _overlap("made", made, made_here),
        "entities_updated": _overlap("changed", changed, changed_here),
    }


def _overlap(verb: str, wanted: Counter[Any], found: Counter[Any]) -> DimensionResult:
    every = sum((wanted | found).values())
    both = sum((wanted & found).values())
    if not every:
        return shown(None, f"Neither {verb} a record")
    return shown(both / every, f"{both} of {every} records that were {verb} are the same")


Touched = tuple[Counter[Any], Counter[Any]]


def _changes(session: Recorded, tools: Tools) -> Touched:
    """A record that was made has another id in each run: it is known by its type."""
    made: Counter[Any] = Counter()
    changed: Counter[Any] = Counter()
    for _, kind, payload in session.changes:
        if kind == "entity.created":
            made[payload.get("type")] += 1
        else:
            fields = payload.get("fields") or ["*"]
            changed.update((str(payload.get("entity_id")), field) for field in fields)
    return made, Counter(dict.fromkeys(changed, 1))


def _touched(session: Recorded, tools: Tools) -> Touched:
    made: Counter[Any] = Counter()
    changed: dict[Any, int] = {}
    for call in session.calls:
        if call.error is None and tools.writes(call.name) and isinstance(call.arguments, dict):
            if looks_creating(call.name):
                made[call.name] += 1
            else:
                changed[call.name, *(str(v) for k, v in sorted(call.arguments.items()) if _is_id(k))] = 1
    return made, Counter(changed)


@lru_cache(maxsize=4096)
def _is_id(name: str) -> bool:
    return name == "id" or name.endswith(("_id", "Id", "_ids", "Ids"))
