"""The words that a record is found by, and those of a search. Pure.

Both are folded alike, so that comparing them as they are is all that a search does.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Any, NamedTuple

MAX_WORDS = 60  # of one title; it has at most 500 characters
MAX_TERMS = 8  # of one search
MAX_LENGTH = 40
CONTENT_WORDS = 300  # of one content: what a write may cost, and the most that a record takes of the index
CONTENT_CHARACTERS = (
    20_000  # of one content that are read; short values first, so that names and identifiers are in
)
LEAST_NUMBER = 1000  # a whole number from here on may be a year or an identifier; below it is a quantity

_WORD = re.compile(r"\w+")
_ASCII_WORDS = str.maketrans({chr(n): " " for n in range(128) if not (chr(n).isalnum() or chr(n) == "_")})
_PART = re.compile(r"[^\W\d_]+|\d+")


class WordsChange(NamedTuple):
    """The words that a record loses and gains."""

    gone: list[str]
    new: list[str]


def words(text: str, most: int = MAX_WORDS) -> list[str]:
    """Folded and without accents, each once: `Größe` is found by `grosse` and by `große`."""
    folded = _folded(text)
    # The same words either way; for most texts this one is several times as quick.
    split = folded.translate(_ASCII_WORDS).split() if folded.isascii() else _WORD.findall(folded)
    found = (word[:MAX_LENGTH] for word in dict.fromkeys(split))
    return list(dict.fromkeys(found))[:most]


def terms(query: str) -> list[str]:
    """The words of a search; a record matches when each of them begins one of its own."""
    return words(query)[:MAX_TERMS]


def record_words(title: str, content: dict[str, Any]) -> list[str]:
    """The words of the title, and those of the content's texts; of `NCT01234` also its parts."""
    found = dict.fromkeys(words(title))
    room = CONTENT_CHARACTERS
    of_content: dict[str, None] = {}
    for text in sorted(_texts(content), key=len):
        for word in words(text[:room], CONTENT_WORDS):
            of_content |= dict.fromkeys([word, *_parts(word)])
        room -= len(text)
        if room <= 0 or len(of_content) >= CONTENT_WORDS:
            break
    return list(found | dict.fromkeys(list(of_content)[:CONTENT_WORDS]))


def words_change(before: list[str], after: list[str]) -> WordsChange:
    return WordsChange(sorted(set(before) - set(after)), sorted(set(after) - set(before)))


def _folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(c for c in folded if not unicodedata.combining(c))


def _parts(word: str) -> list[str]:
    """What an identifier is put together from; nothing for an ordinary word."""
    parts = _PART.findall(word)
    return [part for part in parts if len(part) > 1] if len(parts) > 1 or "_" in word else []


def _texts(value: Any) -> Iterator[str]:
    """The texts inside a content, and the whole numbers that may be identifiers, however deep."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str(text):
                yield text
            case bool():
                pass
            case int(number) if abs(number) >= LEAST_NUMBER:
                yield str(abs(number))
            case dict(inner):
                waiting.extend(inner.values())
            case list(inner):
                waiting.extend(inner)
