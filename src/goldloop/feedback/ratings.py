"""What a score of another tool is as a rating. Pure.

Nothing is guessed: what no rule and no plain word decides is left open, for whoever imports to say.
"""

import math
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from goldloop.feedback.model import Rating

_WORDS = {
    Rating.POSITIVE: "positive good great up thumbs_up thumbsup thumb_up like liked correct true yes pass passed ok helpful 👍",
    Rating.NEGATIVE: "negative bad poor down thumbs_down thumbsdown thumb_down dislike disliked incorrect false no fail "
    "failed not_ok wrong unhelpful not_helpful 👎",
    Rating.NEUTRAL: "neutral mixed unsure",
}
_BY_WORD = {word: rating for rating, words in _WORDS.items() for word in words.split()}
_RANGE = re.compile(r"(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)")
THIRD = 1 / 3  # of a range: its lower third is negative, its upper third positive


class BadRule(ValueError):
    """A rule that cannot be read."""


class Rule(NamedTuple):
    """How the scores of one name become ratings: always the same, by sign, by a range, by labels; `flipped` where less is
    better."""

    always: Rating | None = None
    by_sign: bool = False
    between: tuple[float, float] | None = None
    labels: Mapping[str, Rating] | None = None
    flipped: bool = False


def parse_rule(text: str) -> tuple[str, Rule]:
    """`NAME=positive`, `NAME=sign`, `NAME=1..5`, `NAME=-1..1`, `NAME=good:positive,bad:negative`; `NAME=min:…` where less is
    better."""
    name, _, how = text.partition("=")
    flipped = how.startswith("min:")
    how = how.removeprefix("min:")
    if not name or not how:
        raise BadRule(f"{text!r} is not a rule: NAME=positive, NAME=sign, NAME=1..5 or NAME=label:positive,…")
    if how == "sign":
        return name, Rule(by_sign=True, flipped=flipped)
    if how in set(Rating):
        return name, Rule(always=Rating(how))
    if found := _RANGE.fullmatch(how):
        low, high = float(found[1]), float(found[2])
        if low >= high:
            raise BadRule(f"{text!r}: a range goes from less to more")
        return name, Rule(between=(low, high), flipped=flipped)
    labels = dict(part.rpartition(":")[::2] for part in how.split(","))
    if not all(label and rating in set(Rating) for label, rating in labels.items()):
        raise BadRule(f"{text!r}: labels are written as label:positive,other:negative")
    return name, Rule(labels={_folded(label): Rating(rating) for label, rating in labels.items()})


def rate(rule: Rule | None, label: Any, score: float | None, *, binary: bool) -> Rating | None:
    """None where it is left open. `binary` is a score that is 0 or 1 by its kind."""
    if rule is not None:
        return _by_rule(rule, label, score)
    if isinstance(label, bool):
        return Rating.POSITIVE if label else Rating.NEGATIVE
    if isinstance(label, str) and label.strip():
        return _BY_WORD.get(_folded(label))
    if score is not None and binary and score in (0, 1):
        return Rating.POSITIVE if score else Rating.NEGATIVE
    return None


def _by_rule(rule: Rule, label: Any, score: float | None) -> Rating | None:
    if rule.always is not None:
        return rule.always
    if rule.labels is not None:
        text = str(label) if label not in (None, "") else f"{score:g}" if score is not None else ""
        return rule.labels.get(_folded(text))
    if score is None or math.isnan(score):
        return None
    place = math.copysign(1, score) * (score != 0)
    if rule.between is not None:
        low, high = rule.between
        share = (score - low) / (high - low)
        place = -1 if share < THIRD else 1 if share > 1 - THIRD else 0
    place = -place if rule.flipped else place
    return Rating.POSITIVE if place > 0 else Rating.NEGATIVE if place < 0 else Rating.NEUTRAL


def _folded(label: str) -> str:
    return label.strip().lower().replace("-", "_").replace(" ", "_")


def as_score(value: Any) -> float | None:
    try:
        score = float(value)
    except (TypeError, ValueError):
        return None
    return score if math.isfinite(score) else None
