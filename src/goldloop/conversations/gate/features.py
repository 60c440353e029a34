"""The numbers that the embedded detector judges a sentence by, beside its embedding. Pure.

The order of the features is the order of the weights: a change here needs new weights (tools/train_gate.py).
"""

import math
import re
from dataclasses import dataclass

from . import cues
from .text import Message, words

_ASKS = re.compile(r"[?？؟]\W*$")
_OFFERS = re.compile(
    r"(?<!\w)(?:shall i|should i|do you want|would you like|can i|may i|which|is that|does it|did you|have you|how (?:are|is|was|did|do))(?!\w)",
    re.IGNORECASE,
)
_SORRY = re.compile(r"(?<!\w)(?:sorry|apolog\w+|unfortunately|cannot|can't|not able)(?!\w)", re.IGNORECASE)
_CODE = re.compile(r"```|(?<!\w)(?:def|SELECT|import|const|function|UPDATE|DELETE|sudo|npm|pip)(?!\w)")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")

# What a cue means depends on what was said before: "no" answers a question, "it works" answers "does it work?".
_AFTER_STATEMENT = (
    "refusal",
    "assent",
    "good_emoji",
    "bad_emoji",
    "thanks",
    "praise",
    "right",
    "fails",
    "contrast",
    "points_at",
    "understood",
    "asked",
    "again",
)
_AFTER_QUESTION = (
    "right",
    "understood",
    "liking",
    "praise",
    "works",
    "fails",
    "wrong",
    "refusal",
    "assent",
    "good_emoji",
    "lukewarm",
    "thanks",
)
_TOGETHER = (
    ("praise", "but"),
    ("works", "but"),
    ("works", "fails"),
    ("praise", "wrong"),
    ("praise", "fails"),
    ("lukewarm", "but"),
    ("right", "but"),
    ("liking", "but"),
    ("right", "wrong"),
    ("tried", "works"),
    ("tried", "fails"),
    ("tried", "not_good"),
    ("thanks", "works"),
    ("thanks", "liking"),
    ("thanks", "praise"),
    ("thanks", "request"),
    ("thanks", "question"),
    ("thanks", "next"),
    ("thanks", "in_advance"),
    ("request", "wrong"),
    ("request", "fails"),
    ("request", "praise"),
    ("question", "wrong"),
    ("question", "fails"),
    ("others", "wrong"),
    ("others", "praise"),
    ("self", "wrong"),
    ("asked", "contrast"),
    ("asked", "again"),
    ("again", "fails"),
    ("you_did", "wrong"),
    ("you_did", "fails"),
    ("you_did", "praise"),
    ("points_at", "wrong"),
    ("points_at", "fails"),
    ("points_at", "praise"),
    ("foreign_task", "wrong"),
    ("foreign_task", "fails"),
    ("foreign_task", "praise"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What the assistant said before, as far as it changes what a reply means."""

    known: bool
    asks: bool
    offers: bool
    sorry: bool
    code: bool
    numbers: frozenset[str]
    vocabulary: frozenset[str]


def read_context(previous_assistant: str | None) -> Context:
    said = (previous_assistant or "").strip()
    end = said[-300:]
    return Context(
        known=bool(said),
        asks=_ASKS.search(end) is not None,
        offers=_OFFERS.search(end) is not None and _ASKS.search(end) is not None,
        sorry=_SORRY.search(said[:400]) is not None,
        code=_CODE.search(said) is not None,
        numbers=frozenset(_NUMBER.findall(said)),
        vocabulary=frozenset(words(said[:4000])),
    )


def describe(
    unit: str, *, message: Message, place: int, places: int, context: Context, likeness: float
) -> list[float]:
    """The features of one sentence (or of the whole message): `likeness` is its cosine to the assistant's message."""
    found = dict(zip(cues.NAMES, cues.found_in(unit), strict=True))
    spoken = words(unit)
    count = len(spoken)
    numbers = set(_NUMBER.findall(unit))
    letters = [c for c in unit if c.isalpha()]
    plain = not (found["request"] or found["question"])  # a statement: nothing is wanted
    answered = context.known and not context.asks
    shared = len(context.vocabulary.intersection(spoken)) / count if count else 0.0
    return [
        *(float(value) for value in found.values()),
        *(float(found[a] and found[b]) for a, b in _TOGETHER),
        *(float(found[name] and context.asks) for name in _AFTER_QUESTION),
        *(float(found[name] and answered) for name in _AFTER_STATEMENT),
        float(plain),
        float(plain and answered),
        float(plain and answered and context.code),
        float(plain and not context.known),
        float(plain and found["others"]),
        float(plain and found["self"]),
        likeness * float(plain and answered),
        shared * float(plain and answered),
        float(answered and count <= 3),
        float(count <= 1),
        float(count <= 3),
        float(count <= 6),
        math.log1p(count) / 4,
        float("!" in unit or "！" in unit),
        float(len(letters) > 3 and sum(c.isupper() for c in letters) > 0.7 * len(letters)),
        float(any(ord(c) > 0x2E7F for c in letters)),
        float(message.foreign),
        float(message.echo),
        float(bool(numbers)),
        float(bool(numbers & context.numbers)),
        float(bool(numbers - context.numbers) and bool(context.numbers)),
        float(context.known),
        float(context.asks),
        float(context.offers),
        float(context.asks and count <= 4),
        float(context.sorry),
        float(context.code),
        shared,
        likeness,
        likeness * float(found["question"]),
        float(place == 0),
        float(place == places - 1),
        float(places == 1),
        math.log1p(places) / 3,
        float(
            found["request"] and not (found["wrong"] or found["fails"] or found["again"] or found["asked"])
        ),
        float(
            found["question"] and not (found["wrong"] or found["fails"] or found["again"] or found["you_did"])
        ),
    ]
