"""How much a reviewer's feedback helps whoever tries again, from 0 to 100.

Each signal that is there earns its weight, none earns part of it. The next agent acts on what the feedback
says without reading a chat history, so a reason that can be acted on weighs most.

A reason is specific when it has three words or more, says more than "no" in other words ("this is wrong,
please fix"), and names something: the rejected value, the field, a number, a quotation or an address. Twelve words
without a name count too: a sentence that long explains.

Pure.
"""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

import msgspec

from goldloop.criteria.dimension_types import is_empty


class Signal(StrEnum):
    SPECIFIC_REASON = "specific_reason"
    REJECTED_VALUE = "rejected_value"
    FIELD_NAME = "field_name"
    SOURCE_EVIDENCE = "source_evidence"
    RESPONSE_LINEAGE = "response_lineage"
    CRITERIA_SNAPSHOT = "criteria_snapshot"
    FIELD_METADATA = "field_metadata"


class Grade(StrEnum):
    EXCELLENT = "excellent"
    GOOD = "good"
    FAIR = "fair"
    POOR = "poor"


WEIGHTS: dict[Signal, int] = {
    Signal.SPECIFIC_REASON: 35,  # what to do differently
    Signal.REJECTED_VALUE: 15,  # what not to answer again
    Signal.FIELD_NAME: 15,  # where
    Signal.SOURCE_EVIDENCE: 15,  # what the answer was taken from
    Signal.RESPONSE_LINEAGE: 10,  # which attempt this was
    Signal.CRITERIA_SNAPSHOT: 5,  # what was asked for
    Signal.FIELD_METADATA: 5,  # how sure the last attempt was
}
GRADES = [
    (85, Grade.EXCELLENT),  # a specific reason and nearly all of the context
    (70, Grade.GOOD),  # more than all context: out of reach without a specific reason
    (40, Grade.FAIR),  # enough to know what was rejected
    (0, Grade.POOR),
]
MIN_WORDS = 3
EXPLAINING_WORDS = 12

_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"  # scripts without spaces: each character counts as a word
_WORD = re.compile(rf"[{_CJK}]|(?:(?![{_CJK}])[\w'’])+")
_NAMED = re.compile(r"\d|\"[^\"]+\"|“[^”]+”|„[^“”]+[“”]|«[^»]+»|`[^`]+`|(?<!\w)'[^']+'(?!\w)|https?://\S")
_SAYS_ONLY_NO = frozenset(
    _WORD.findall(
        "a again all an and answer are at bad better but change check correct correctly did do does doesn't doesnt "
        "don't fix good i improve in inaccurate incorrect invalid is isn't isnt it it's its just like look looks "
        "make makes me more needs no nope not of ok okay once please poor really redo reject rejected response "
        "result retry right seem seems sense should so sorry still that that's the there this to totally try "
        "unacceptable update useless value very was work works wrong you"
    )
)


class FeedbackInput(msgspec.Struct, frozen=True, kw_only=True):
    """What is known when a response's value was rejected."""

    reason: str | None = None
    rejected_value: Any = None
    field_name: str | None = None
    field_label: str | None = None
    response_id: str | None = None
    parent_response_id: str | None = None
    sources: Sequence[Any] = ()
    criteria_snapshot: Sequence[Any] = ()
    field_meta: Mapping[str, Any] | None = None


class FeedbackQuality(msgspec.Struct, frozen=True, kw_only=True):
    score: int
    grade: Grade
    present: list[Signal]
    missing: list[Signal]


def score_feedback_quality(feedback: FeedbackInput) -> FeedbackQuality:
    meta = feedback.field_meta or {}
    there = {
        Signal.SPECIFIC_REASON: is_specific_reason(feedback),
        Signal.REJECTED_VALUE: not is_empty(feedback.rejected_value)
        and feedback.rejected_value not in ([], {}),
        Signal.FIELD_NAME: not is_empty(feedback.field_name),
        Signal.SOURCE_EVIDENCE: bool(feedback.sources or meta.get("sources")),
        Signal.RESPONSE_LINEAGE: not is_empty(feedback.response_id)
        or not is_empty(feedback.parent_response_id),
        Signal.CRITERIA_SNAPSHOT: bool(feedback.criteria_snapshot),
        Signal.FIELD_METADATA: any(value is not None for key, value in meta.items() if key != "sources"),
    }
    score = sum(weight for signal, weight in WEIGHTS.items() if there[signal])
    return FeedbackQuality(
        score=score,
        grade=next(grade for least, grade in GRADES if score >= least),
        present=[signal for signal in WEIGHTS if there[signal]],
        missing=[signal for signal in WEIGHTS if not there[signal]],
    )


def format_feedback_quality_summary(quality: FeedbackQuality) -> str:
    """`Feedback quality: 75/100 (good; missing: source evidence, response lineage)`, as the agent reads it."""
    missing = ", ".join(signal.replace("_", " ") for signal in quality.missing)
    return (
        f"Feedback quality: {quality.score}/100 ({quality.grade}{'; missing: ' if missing else ''}{missing})"
    )


def is_specific_reason(feedback: FeedbackInput) -> bool:
    reason = (feedback.reason or "").strip()
    words = [word.lower().replace("’", "'") for word in _WORD.findall(reason)]
    if len(words) < MIN_WORDS or _SAYS_ONLY_NO.issuperset(words):
        return False
    return len(words) >= EXPLAINING_WORDS or bool(_NAMED.search(reason)) or _names_what_was_rejected(feedback)


def _names_what_was_rejected(feedback: FeedbackInput) -> bool:
    reason = f" {' '.join(_WORD.findall((feedback.reason or '').lower()))} "
    names = [feedback.field_name, feedback.field_label, feedback.rejected_value]
    texts = [
        " ".join(_WORD.findall(str(name).lower().replace("_", " "))) for name in names if not is_empty(name)
    ]
    return any(text and f" {text} " in reason.replace("_", " ") for text in texts)
