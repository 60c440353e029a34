"""From which similarity on notes are grouped and groups proposed, and what a workspace's own decisions make of that. Pure.

More notes have more that look alike by chance, so that the threshold rises with the size of a block. The thresholds were
measured on five public sets (`design/feedback.md`) and fit none of them well: that is why people decide, and why what they
decide moves the threshold of their workspace.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

NEAR = 0.45  # from here on a note is shown beside a group, as one that may belong to it
PROPOSED = 0.55  # from here on notes are one group, and a group is proposed
AMONG_MANY = 0.05  # more, in a block with MANY notes
FEW, MANY = 50, 100  # notes of a block; between them the threshold rises
ACROSS_BLOCKS = 0.60  # for a note that has no specific key, and the groups of other blocks
REMEMBERED = 0.85  # from here on a new group is one that was dismissed before
LEAST_LABELS = 30  # decisions of a workspace before they count
BOUNDS = (0.45, 0.75)  # beyond which no decisions move the threshold
FALSE_GROUP = 2  # times as bad as a group that is missed: a person reads it for nothing


class Label(NamedTuple):
    """A decision of a person: notes of this similarity are one matter, or are not."""

    similarity: float
    is_one_matter: bool


def group_at(notes: int, base: float = PROPOSED) -> float:
    """The least mean similarity in a block of so many notes."""
    return base + AMONG_MANY * min(1.0, max(0.0, (notes - FEW) / (MANY - FEW)))


def refit(labels: Sequence[Label], default: float = PROPOSED) -> float:
    """The threshold that contradicts the fewest decisions; of several the one next to the default. The default before there
    are enough, or where all say the same."""
    if len(labels) < LEAST_LABELS or len({label.is_one_matter for label in labels}) < 2:
        return default
    seen = sorted({label.similarity for label in labels})
    between = [(one + other) / 2 for one, other in pairwise(seen)]
    candidates = [
        threshold for threshold in (default, *BOUNDS, *between) if BOUNDS[0] <= threshold <= BOUNDS[1]
    ]
    return min(candidates, key=lambda threshold: (_cost(labels, threshold), abs(threshold - default)))


def _cost(labels: Sequence[Label], threshold: float) -> int:
    return sum(
        FALSE_GROUP * (not label.is_one_matter) if label.similarity >= threshold else label.is_one_matter
        for label in labels
    )
