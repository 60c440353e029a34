"""Compares texts: which words two messages share, and whether facts were said. Pure.

Facts are compared word by word, numbers by value: `1628` is said by "$1,628.00" and not by "16285". A similarity of texts
never stands in for a fact: "14 days" is nearly "30 days".
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

_WORD = re.compile(r"\d[\d,]*(?:\.\d+)?(?![^\W_])|[^\W_]+|%")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_KEYWORD = re.compile(r"[^\W_]{3,}|\d+")

# Words that say nothing about what a message is about.
STOP_WORDS = frozenset(
    {
        "about", "after", "all", "also", "and", "any", "are", "been", "before", "but", "can", "could",
        "did", "does", "for", "from", "further", "get", "had", "has", "have", "here", "her", "him", "his",
        "how", "into", "its", "just", "let", "like", "may", "more", "not", "now", "our", "out", "please",
        "she", "should", "some", "than", "that", "the", "their", "them", "then", "there", "these", "they",
        "this", "those", "was", "were", "what", "when", "where", "which", "who", "will", "with", "would",
        "you", "your",
    }
)  # fmt: skip


def keywords(text: str) -> set[str]:
    return set(_KEYWORD.findall(text.lower())) - STOP_WORDS


def keyword_overlap(a: str, b: str) -> float:
    """The share of all keywords that both have; 1 where neither has any."""
    first, second = keywords(a), keywords(b)
    union = len(first | second)
    return len(first & second) / union if union else 1.0


def tokens(text: str) -> list[str]:
    """Words in lower case, numbers as they are written shortest."""
    return [token for word in _WORD.findall(text.casefold()) for token in _spelled(word)]


def _spelled(word: str) -> Sequence[str]:
    if not word[0].isdecimal() or not word.isascii():
        return ("%" if word == "percent" else word,)
    if "," in word and not _GROUPED.fullmatch(word):  # a list without spaces
        return [token for part in word.split(",") if part for token in _spelled(part)]
    number = word.replace(",", "")
    whole, point, fraction = number.partition(".")
    fraction = fraction.rstrip("0")
    return (f"{whole}.{fraction}" if point and fraction else whole,)


@lru_cache(maxsize=1024)
def _fact_tokens(fact: str) -> str:
    return f" {' '.join(tokens(fact))} "


def missing_facts(facts: Sequence[str], texts: Iterable[str]) -> list[str]:
    """Those that none of the texts says, as whole words in their order."""
    if not facts:
        return []
    texts = list(texts)
    lines = [f" {' '.join(tokens(text))} " for text in texts]
    return [fact for fact in facts if not _is_said(fact, texts, lines)]


def _is_said(fact: str, texts: Sequence[str], lines: Sequence[str]) -> bool:
    if (wanted := _fact_tokens(fact)).isspace():  # nothing but signs
        return any(fact in text for text in texts)
    return any(wanted in line for line in lines)
