"""How alike two notes are worded: the sum of what an encoder makes of them and of the letters that they share. Pure.

`0.7 · cosine of the vectors + 0.3 · cosine of weighted runs of letters`. The encoder knows that "too slow" and "takes ages" are
one matter, the letters know names and terms. Letters say nothing across languages: there the vectors alone decide.
"""

import math
import re
import zlib
from collections import Counter
from collections.abc import Sequence

import msgspec

from goldloop.feedback.groups.languages import content_words, language_of
from goldloop.kit.at_first_use import Floats, Integers, np

OF_VECTORS = 0.7
OF_LETTERS = 0.3
ACROSS_LANGUAGES = (
    0.65  # the cosine from which on notes in two languages are one matter, by the vectors alone
)
LETTERS_ADD = 0.10  # what sharing letters adds between notes of one language, and cannot between two
LEAST_CONTENT_WORDS = 2  # a note with fewer is not compared: "wrong", "ditto", a bare thumb
RUNS = range(3, 6)  # letters of a run, within a word and over its edges
BUCKETS = 1 << 16
MOST_CHARACTERS = 2000  # of a note whose letters are compared
CHUNK_WORDS = 200  # of a longer note that are encoded at once; the vector is the mean of its chunks

_QUOTED_LINE = re.compile(r"^\s*>.*$", re.MULTILINE)
_QUOTED_PASSAGE = re.compile(r"\"[^\"]{40,}\"|“[^”]{40,}”|„[^“”]{40,}[“”]|«[^»]{40,}»")


def own_words(comment: str) -> str:
    """A comment without what it quotes: lines of a reply, and passages too long to be a name."""
    without = _QUOTED_PASSAGE.sub(" ", _QUOTED_LINE.sub(" ", comment))
    return " ".join(without.split()) or " ".join(comment.split())


def can_be_compared(text: str) -> bool:
    return len(content_words(text)) >= LEAST_CONTENT_WORDS


def chunks(text: str) -> list[str]:
    words = text.split()
    return [" ".join(words[i : i + CHUNK_WORDS]) for i in range(0, len(words), CHUNK_WORDS)] or [""]


class Letters(msgspec.Struct, frozen=True):
    """The runs of letters of a text, as numbers, and how often each is there (the logarithm of it)."""

    runs: Integers
    counts: Floats


def letters_of(text: str) -> Letters:
    counted: Counter[int] = Counter()
    for word in text[:MOST_CHARACTERS].lower().split():
        edged = f" {word} "
        for length in RUNS:
            for start in range(max(1, len(edged) - length + 1)):
                counted[zlib.crc32(edged[start : start + length].encode()) % BUCKETS] += 1
    counts = np.array([1 + math.log(count) for count in counted.values()], dtype=np.float32)
    return Letters(np.array(list(counted), dtype=np.int64), counts)


class Corpus:
    """Notes to compare with. A run of letters weighs the less the more of the notes have it."""

    def __init__(self) -> None:
        self.languages: list[str | None] = []
        self._vectors: list[Floats] = []
        self._letters: list[Letters] = []
        self._with_run = np.zeros(BUCKETS, dtype=np.float32)
        self._heard = 0

    def __len__(self) -> int:
        return len(self._vectors)

    def add(self, text: str, vector: Floats) -> int:
        """The place that the note has from now on."""
        letters = letters_of(text)
        self._with_run[letters.runs] += 1
        self.languages.append(language_of(text))
        self._vectors.append(np.asarray(vector, dtype=np.float32))
        self._letters.append(letters)
        return len(self) - 1

    def hear(self, text: str) -> None:
        """A note that is not compared, and says what is common among those that are."""
        self._with_run[letters_of(text).runs] += 1
        self._heard += 1

    def similarities(self, place: int, others: Sequence[int]) -> Floats:
        """Of the note at a place to those at others, in their order."""
        if not others:
            return np.zeros(0, dtype=np.float32)
        vectors = np.stack([self._vectors[i] for i in others]) @ self._vectors[place]
        mixed = OF_VECTORS * vectors + OF_LETTERS * self._letters_alike(place, others)
        own = self.languages[place]
        differ = np.array([own is not None and self.languages[i] not in (None, own) for i in others])
        across = np.where(vectors >= ACROSS_LANGUAGES, vectors - LETTERS_ADD, 0.0)
        return np.where(differ, across, mixed).astype(np.float32)

    def mean_similarity(self, places: Sequence[int]) -> float | None:
        """Between the notes at these places, each with each other; None for fewer than two."""
        if len(places) < 2:
            return None
        means = [
            float(self.similarities(place, [other for other in places if other != place]).mean())
            for place in places
        ]
        return sum(means) / len(means)

    def _letters_alike(self, place: int, others: Sequence[int]) -> Floats:
        weights = np.log((1 + len(self) + self._heard) / (1 + self._with_run)) + 1
        own = self._letters[place]
        weighed = np.zeros(BUCKETS, dtype=np.float32)
        weighed[own.runs] = own.counts * weights[own.runs]
        runs = np.concatenate([self._letters[i].runs for i in others])
        values = np.concatenate([self._letters[i].counts for i in others]) * weights[runs]
        owners = np.repeat(np.arange(len(others)), [len(self._letters[i].runs) for i in others])
        dots = np.bincount(owners, weights=values * weighed[runs], minlength=len(others))
        lengths = np.sqrt(np.bincount(owners, weights=values * values, minlength=len(others)))
        return np.asarray(dots / np.maximum(lengths * float(np.linalg.norm(weighed)), 1e-9), dtype=np.float32)
