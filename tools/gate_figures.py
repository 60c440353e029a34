"""How good a detector is: precision, recall and reliability, in all and by class, language and kind. Pure."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

CLASSES = ("none", "not_ok", "ok", "neutral")
THRESHOLD = 0.70
BINS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    row: dict[str, Any]
    chances: list[float]
    weight: float = 1.0

    @property
    def label(self) -> str:
        return str(self.row["label"])

    @property
    def reaction(self) -> str:
        """The likeliest of the three reactions, whether or not "none" is likelier still."""
        return CLASSES[max(range(1, len(CLASSES)), key=lambda i: self.chances[i])]

    @property
    def confidence(self) -> float:
        return max(self.chances[1:])

    @property
    def fires(self) -> bool:
        return self.confidence >= THRESHOLD

    @property
    def right(self) -> bool:
        return self.reaction == self.label


def precision(judged: Iterable[Judged]) -> float | None:
    """Of those that fire, the share with the right reaction; in the mix that the weights make."""
    fired = [j for j in judged if j.fires]
    return _share(fired, lambda j: j.right)


def recall(judged: Iterable[Judged]) -> float | None:
    """Of those with a reaction, the share that fires with the right one."""
    return _share([j for j in judged if j.label != "none"], lambda j: j.fires and j.right)


def false_alarms(judged: Iterable[Judged]) -> float | None:
    """Of those without a reaction, the share that fires."""
    return _share([j for j in judged if j.label == "none"], lambda j: j.fires)


def reliability(judged: list[Judged]) -> list[tuple[float, float, int, float | None, float | None]]:
    """Per bin of confidence: bounds, count, mean confidence, share that is right; counts are unweighted."""
    found = []
    for low, high in pairwise(BINS):
        inside = [j for j in judged if low <= j.confidence < high]
        total = sum(j.weight for j in inside)
        mean = sum(j.confidence * j.weight for j in inside) / total if total else None
        found.append((low, high, len(inside), mean, _share(inside, lambda j: j.right)))
    return found


def summary(judged: list[Judged]) -> dict[str, float]:
    """What is stored beside the weights."""
    found = {"precision": precision(judged), "recall": recall(judged), "false_alarms": false_alarms(judged)}
    return {name: round(value or 0.0, 3) for name, value in found.items()}


def report(title: str, judged: list[Judged], *, misses: bool) -> str:
    lines = [
        f"## {title}: {len(judged)} messages",
        f"precision {_text(precision(judged))}, recall {_text(recall(judged))}, "
        f"fires on {_text(false_alarms(judged))} of what is no reaction",
    ]
    lines += [
        f"  {low:.1f}-{min(high, 1):.1f}  n={count:4}  said {_text(mean)}  right {_text(right)}"
        for low, high, count, mean, right in reliability(judged)
    ]
    for name, key in (("class", "label"), ("language", "lang"), ("kind", "kind")):
        lines.append(f"by {name}")
        groups = sorted({str(j.row[key]) for j in judged})
        lines += [_line(group, [j for j in judged if str(j.row[key]) == group]) for group in groups]
    lines.append("by what was said")
    for reaction in CLASSES[1:]:
        fired = [j for j in judged if j.fires and j.reaction == reaction]
        lines.append(f"  {reaction:12} fired {len(fired):4}  right {_text(_share(fired, lambda j: j.right))}")
    if misses:
        lines += [
            f"{'FIRED' if j.fires else 'MISSED'} {j.label} as {j.reaction} {j.confidence:.2f} [{j.row['kind']}] {j.row['message'][:110]!r}"
            for j in judged
            if (j.fires and not j.right) or (j.label != "none" and not j.fires)
        ]
    return "\n".join(lines)


def _line(name: str, judged: list[Judged]) -> str:
    return (
        f"  {name:12} n={len(judged):4}  precision {_text(precision(judged))} ({sum(j.fires for j in judged)} fired)  "
        f"recall {_text(recall(judged))}  false alarms {_text(false_alarms(judged))}"
    )


def _share(judged: list[Judged], holds: Callable[[Judged], bool]) -> float | None:
    total = sum(j.weight for j in judged)
    return sum(j.weight for j in judged if holds(j)) / total if total else None


def _text(share: float | None) -> str:
    return "  - " if share is None else f"{share:.2f}"
