"""What feedback is about besides its words, as one key. Pure.

Notes are compared within a block: same rating, agent and type of record, and where one is named, the field, tool or golden. A
field, a tool or a golden is a key that speaks for itself: whoever complains of the same one belongs together, whatever the
words. So does the reason that a session failed for, with names and numbers masked.
"""

from typing import Any, NamedTuple

from goldloop.feedback.groups.masks import exception_class, masked, reason_tokens
from goldloop.feedback.groups.wording import can_be_compared, own_words
from goldloop.feedback.model import FeedbackSource, GroupKind, Rating

ALONG = "along"  # the block of values that were rejected with the one that a note is about
LEAST_QUALITY = 40  # of what a reviewer wrote, for its words to be compared


class About(NamedTuple):
    """What of a feedback row its place is decided by."""

    source: FeedbackSource
    rating: Rating
    comment: str | None
    agent: str | None
    entity_type: str | None
    context: dict[str, Any]


class Keys(NamedTuple):
    """`kind` is the group that the keys alone make, None where they are too weak for one. `text` is what can be compared,
    None where the note says too little; `words` is all of it masked, by which copies are known."""

    block: str
    kind: GroupKind | None
    text: str | None
    words: str
    reason: list[str] | None = None


def keys_of(about: About) -> Keys:
    context = about.context
    where = [str(about.rating), about.agent or "", about.entity_type or ""]
    if about.source is FeedbackSource.SESSION and isinstance(context.get("failure_reason"), str):
        return _of_failure(where, context)
    text = own_words(about.comment or "")
    comparable = text if can_be_compared(text) and _says_enough(context.get("quality")) else None
    if context.get("named") is False:  # rejected with others, which the note is about
        return Keys(
            _joined([*where, ALONG, str(context.get("field_name"))]),
            None,
            None,
            masked(text).lower(),
        )
    for kind, name in (
        (GroupKind.GOLDEN, "golden_id"),
        (GroupKind.TOOL, "tool_slug"),
        (GroupKind.FIELD, "field_name"),
    ):
        value = context.get(name)
        if isinstance(value, str) and value:
            field = (
                value.rpartition(".")[2] if kind is GroupKind.FIELD else value
            )  # of a connection: its dimension
            return Keys(_joined([*where, kind, field]), kind, comparable, masked(text).lower())
    return Keys(_joined(where), None, comparable, masked(text).lower())


def _says_enough(quality: Any) -> bool:
    score = quality.get("score") if isinstance(quality, dict) else None
    return not isinstance(score, int | float) or score >= LEAST_QUALITY


def _of_failure(where: list[str], context: dict[str, Any]) -> Keys:
    reason = context["failure_reason"]
    code = context.get("code")
    key = [GroupKind.REASON, code if isinstance(code, str) else "", exception_class(reason)]
    tokens = reason_tokens(reason)
    return Keys(_joined([*where, *key]), GroupKind.REASON, None, " ".join(tokens).lower(), tokens)


def _joined(parts: list[str]) -> str:
    return "|".join(part.replace("|", "/") for part in parts)
