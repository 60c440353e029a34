"""What of a message is judged: the whole of the user's own words, and each sentence. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from . import cues, features, text

WHOLE_CHARS = 600  # of the user's own words, for the verdict on the whole
ASSISTANT_CHARS = 1000  # enough to know what the answer was about
ANSWER_CHARS = (
    20_000  # of an answer, for what it asked and what is quoted of it: no answer may keep others waiting
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Units:
    """The texts to embed, in the order in which `describe` wants their vectors."""

    message: text.Message
    context: features.Context
    parts: tuple[str, ...]  # the whole, then the sentences if there are several
    assistant: str | None  # to be embedded after the parts

    @property
    def to_embed(self) -> list[str]:
        return [*self.parts, *([self.assistant] if self.assistant else [])]

    def describe(
        self,
        likeness: Sequence[float],
        found_in: Callable[[str], tuple[bool, ...]] = cues.found_in,
    ) -> list[dict[str, float]]:
        count = len(self.message.sentences)
        return [
            features.describe(
                part,
                message=self.message,
                place=max(0, i - 1),
                places=max(1, count),
                context=self.context,
                likeness=likeness[i],
                found_in=found_in,
            )
            for i, part in enumerate(self.parts)
        ]


def units_of(message: str, previous_assistant: str | None) -> Units | None:
    """None when the user says nothing in their own words."""
    answer = None if previous_assistant is None else text.shorten(previous_assistant, ANSWER_CHARS)
    read = text.read(message, answer)
    if not read.sentences:
        return None
    sentences = read.sentences if len(read.sentences) > 1 else ()
    readable = text.readable(answer or "").strip()
    return Units(
        message=read,
        context=features.read_context(answer),
        parts=(text.shorten(read.own, WHOLE_CHARS), *sentences),
        assistant=readable[:ASSISTANT_CHARS] or None,
    )
