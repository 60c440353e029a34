"""Whether a text has the words of another. Pure."""

import re

LEAST_CHARACTERS = 8  # of a text that counts as somebody's words: "thanks" is everybody's
RUN = 6  # words in a row that two texts share by chance hardly ever
_WORD = re.compile(r"\w+")


def quotes(text: str | None, source: str | None) -> bool:
    """One is within the other, or they share RUN words in a row."""
    ours, theirs = _words(text), _words(source)
    if min(len(" ".join(ours)), len(" ".join(theirs))) < LEAST_CHARACTERS:
        return False
    short, long = sorted((f" {' '.join(ours)} ", f" {' '.join(theirs)} "), key=len)
    return short in long or not _runs(ours).isdisjoint(_runs(theirs))


def _words(text: str | None) -> list[str]:
    return _WORD.findall((text or "").casefold())


def _runs(words: list[str]) -> set[tuple[str, ...]]:
    return {tuple(words[place : place + RUN]) for place in range(len(words) - RUN + 1)}
