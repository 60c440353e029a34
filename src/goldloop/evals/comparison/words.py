"""Compares texts: which words two messages share, and whether facts were said. Pure.

Facts are compared word by word, numbers by value: `1628` is said by "$1,628.00" and not by "16285". A similarity of texts
never stands in for a fact: "14 days" is nearly "30 days".
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

_NUMBER = re.compile(r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?")
_TOKEN = re.compile(rf"{_NUMBER.pattern}(?![^\W_])|[^\W_]+|%")
_LETTER = r"[^\W_]"
_BETWEEN_TEXTS = "\0"  # no fact reaches from one message into the next
_SPACE = r"(?:[^\w\0]|_)"
_PERCENT = {"%", "percent"}
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


def missing_facts(facts: Sequence[str], texts: Iterable[str]) -> list[str]:
    """Those that none of the texts says, as whole words in their order."""
    if not facts:
        return []
    spoken = _BETWEEN_TEXTS.join(texts).casefold()
    return [fact for fact in facts if not _fact_pattern(fact).search(spoken)]


@lru_cache(maxsize=1024)
def _fact_pattern(fact: str) -> re.Pattern[str]:
    """Begins with a letter, not with what must not stand before it: that is how a search is fast."""
    tokens = _TOKEN.findall(fact.casefold())
    if not tokens:  # nothing but signs
        return re.compile(re.escape(fact.casefold()))
    parts = [_token_pattern(token) for token in tokens]
    between = [f"{_SPACE}*" if {a, b} & _PERCENT else f"{_SPACE}+" for a, b in pairwise(tokens)]
    return re.compile("".join(part + gap for part, gap in zip(parts, [*between, ""], strict=True)))


def _token_pattern(token: str) -> str:
    if token in _PERCENT:
        return "(?:%|percent)"
    if not _NUMBER.fullmatch(token):
        return f"{re.escape(token[0])}(?<!{_LETTER}.){re.escape(token[1:])}(?!{_LETTER})"
    whole, _, fraction = token.replace(",", "").partition(".")
    fraction = fraction.rstrip("0")
    head, grouped = (
        whole[0],
        whole[:1]
        + "".join(
            f",?{digit}" if (len(whole) - place) % 3 == 0 else digit
            for place, digit in enumerate(whole)
            if place
        ),
    )
    before = rf"(?<!{_LETTER}.)(?<!\d\..)" + (r"(?<!\d,.)" if len(whole) == 3 else "")
    after = rf"\.{fraction}0*(?!\d)" if fraction else rf"(?:\.0+)?(?!{_LETTER}|\.\d|,\d\d\d(?!\d))"
    return f"{head}{before}{grouped[1:]}{after}"
