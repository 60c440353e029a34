"""Splits titles and search queries into normalized words. Pure."""

import re
import unicodedata

MAX_WORDS = 60  # of one title; it has at most 500 characters
MAX_TERMS = 8  # of one search
MAX_LENGTH = 40

_WORD = re.compile(r"\w+")


def words(text: str, most: int = MAX_WORDS) -> list[str]:
    """Folded and without accents, each once: `Größe` is found by `grosse` and by `große`."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    plain = "".join(c for c in folded if not unicodedata.combining(c))
    found = (word[:MAX_LENGTH] for word in _WORD.findall(plain))
    return list(dict.fromkeys(found))[:most]


def terms(query: str) -> list[str]:
    """The words of a search; a record matches when each of them begins one of its own."""
    return words(query)[:MAX_TERMS]
