"""What a group is called: the phrases that most of its notes have and few others. Pure."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from goldloop.feedback.groups.languages import content_words

MOST_PHRASES = 3
LONGEST = 3  # words of a phrase
LEAST_SHARE = 0.5  # of the notes that have a phrase, for it to speak for them
MOST_CHARACTERS = 120
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_TEXT = re.compile(r"[.!?;:\n]+")


def title(notes: Sequence[str], others: Sequence[str]) -> str:
    """Up to three phrases with the highest share among the notes, times how rare they are among all. Where no phrase is
    shared, the beginning of the shortest note; "" without notes."""
    if not notes:
        return ""
    in_notes = Counter(phrase for note in notes for phrase in set(_phrases(note)))
    in_others = Counter(phrase for note in others for phrase in set(_phrases(note)))
    total = len(notes) + len(others)

    def weight(phrase: str) -> float:
        share = in_notes[phrase] / len(notes)
        rarity = math.log((1 + total) / (1 + in_notes[phrase] + in_others[phrase])) + 1
        return share * rarity * (1 + 0.2 * phrase.count(" "))  # of two that are as good the longer says more

    chosen: list[str] = []
    least = max(2, math.ceil(LEAST_SHARE * len(notes)))
    for phrase in sorted(in_notes, key=lambda phrase: (-weight(phrase), phrase)):
        if in_notes[phrase] < least or len(chosen) == MOST_PHRASES:
            continue
        if not any(set(phrase.split()) & set(other.split()) for other in chosen):
            chosen.append(phrase)
    return _cut(" · ".join(chosen) or min(notes, key=lambda note: (len(note), note)))


def _phrases(note: str) -> Iterator[str]:
    """Runs of words that begin and end with one that says something."""
    for sentence in _TEXT.split(note.lower()):
        words = _WORD.findall(sentence)
        telling = [bool(content_words(word)) for word in words]
        for start in range(len(words)):
            for end in range(start + 1, min(start + LONGEST, len(words)) + 1):
                if telling[start] and telling[end - 1]:
                    yield " ".join(words[start:end])


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= MOST_CHARACTERS else f"{text[: MOST_CHARACTERS - 1]}…"
