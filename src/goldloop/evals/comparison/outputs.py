"""Compares what two tools put out, value by value at its place in the JSON. Pure."""

import re
from collections.abc import Sequence
from typing import Any

from goldloop.evals.arguments import canonical, leaves
from goldloop.evals.model import DimensionResult, Divergence, DivergenceKind

MOST_SHOWN = 50  # differences of one output; a person reads no more

_INDEX = re.compile(r"\[\d+\]")


def compare_outputs(
    golden: Any, replay: Any, ignore: Sequence[str], weight: float
) -> tuple[DimensionResult, list[Divergence]]:
    """The share of places where both have the same value. `ignore` are paths that differ in each run (`items[].id`), with
    all that is below them."""
    wanted, found = _places(golden, ignore), _places(replay, ignore)
    every = dict.fromkeys([*wanted, *found])
    differ = [
        path
        for path in every
        if path not in wanted or path not in found or canonical(wanted[path]) != canonical(found[path])
    ]
    score = 1 - len(differ) / len(every) if every else 1.0
    reason = f"{len(every) - len(differ)} of {len(every)} values of the output are the same"
    dimension = DimensionResult(score=score, passed=not differ, weight=weight, reason=reason)
    return dimension, [
        Divergence(
            kind=DivergenceKind.WRONG_OUTPUT,
            message=f"The output has another {path}" if path else "The output is another",
            path=path,
            golden=wanted.get(path),
            replay=found.get(path),
        )
        for path in differ[:MOST_SHOWN]
    ]


def _places(output: Any, ignore: Sequence[str]) -> dict[str, Any]:
    """None is no value: an output that is not there has no places."""
    found = {path: value for path, value in leaves(output) if value is not None}
    if not ignore:
        return found
    return {path: value for path, value in found.items() if not _is_ignored(_INDEX.sub("[]", path), ignore)}


def _is_ignored(path: str, ignore: Sequence[str]) -> bool:
    return any(path == each or path.startswith((f"{each}.", f"{each}[")) for each in ignore)
