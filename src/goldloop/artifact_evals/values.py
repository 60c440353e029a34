"""What counts as filled in, as citable and as vague; how a field is found, and how a value is quoted. Pure."""

import math
from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(" ".join(phrase.split()) for phrase in text.split(","))


PLACEHOLDERS = frozenset(
    _phrases(
        """-, --, ---, ., .., ..., …, ?, ??, ???, n/a, n.a., na, nil, none, null, unknown, tba, tbc, tbd, todo, to do,
        to be determined, to be done, fixme, xxx, foo, test, placeholder, stub, lorem ipsum, coming soon,
        under construction, work in progress, wip"""
    )
)
HEARSAY = frozenset(
    _phrases(
        """anecdotal, assumption, common-knowledge, everyone, experience, intuition, obvious, various, internal,
        somewhere, internet, google, wikipedia, llm, chatgpt, model, agent"""
    )
)
VAGUE = _phrases(
    """as appropriate, as needed, as necessary, if possible, when possible, where possible, and so on, be careful,
    be aware, keep an eye, look into, think about, try to, do better, etc, somehow, something, somewhere, stuff,
    things, whatever, tbd, todo"""
)
SHOWN = 80  # characters of a value that a reason quotes: enough to recognise it
CHARACTERS_OF_WORD = 2  # in Chinese, Japanese or Korean; more in Thai, which is let through sooner
READ = 2000  # characters of a step that are looked at; an instruction that is longer is not read to its end

_INVISIBLE = "\u00ad\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufeff"
_EDGES = (
    f" \t\n\r\f\v\u00a0\u3000{_INVISIBLE}.,;:!?…()[]{{}}<>*_~-–—'\"“”‘’`/\\|"  # of a text, which say nothing
)
_EMPTY_WORDS = frozenset(word.strip(_EDGES) for word in PLACEHOLDERS)
_LONGEST_PLACEHOLDER = max(map(len, _EMPTY_WORDS))
_DIGITS = frozenset("0123456789")
_BLANKS = frozenset(" \t\n\r\u00a0")
_LISTS = (list, tuple, set, frozenset)
_CONTAINERS = (*_LISTS, dict)
_ENDINGS = ("", ".", ",", ";", ":", "!", "?", ")", ".)", "…")


def is_filled(value: object) -> bool:
    """Says something: neither null, blank, a placeholder, not-a-number, nor a list or object of nothing else."""
    if isinstance(value, str):
        text = value.strip(_EDGES)
        return len(text) > _LONGEST_PLACEHOLDER or text.casefold() not in _EMPTY_WORDS
    if value is None:
        return False
    if isinstance(value, _LISTS):
        return any(map(_is_something, value))
    if isinstance(value, dict):
        return any(map(_is_something, value.values()))
    return math.isfinite(value) if isinstance(value, float) else True


def _is_something(value: object) -> bool:
    """Inside a list or an object: one level is looked at, so that no nesting exhausts the stack."""
    return bool(value) if isinstance(value, _CONTAINERS) else is_filled(value)


def is_citable(source: object) -> bool:
    """An identifier (`doi:10.1000/1`, `NW-1042`), or words with a number in them (`Guideline NG87, 2018`)."""
    if not isinstance(source, str) or not (text := source.strip(_EDGES)):
        return False
    if not _BLANKS.isdisjoint(text):
        return not _DIGITS.isdisjoint(text) or any(map(str.isdigit, text))
    if len(text) > _LONGEST_PLACEHOLDER:
        return True
    return (folded := text.casefold()) not in _EMPTY_WORDS and folded not in HEARSAY


def _by_first_word(phrases: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Which phrases a word may begin; one is also found in brackets, a single word before a full stop or a comma."""
    found: dict[str, tuple[str, ...]] = {}
    for phrase in phrases:
        first, *rest = phrase.split()
        for word in [
            f"{opening}{first}{ending}"
            for opening in ("", "(")
            for ending in (_ENDINGS if not rest else ("",))
        ]:
            found[word] = (*found.get(word, ()), phrase)
    return found


_VAGUE_BY_FIRST_WORD = _by_first_word(VAGUE)
_VAGUE_FIRST_WORDS = frozenset(_VAGUE_BY_FIRST_WORD)


def find_vague(words: list[str]) -> str | None:
    """The first vague phrase among the words of a text in lower case; None when every word means something."""
    if _VAGUE_FIRST_WORDS.isdisjoint(words):
        return None
    for place, word in enumerate(words):
        for phrase in _VAGUE_BY_FIRST_WORD.get(word, ()):
            size = phrase.count(" ") + 1
            passage = " ".join(words[place : place + size]).removeprefix("(")
            if passage.startswith(phrase) and passage[len(phrase) :] in _ENDINGS:
                return phrase
    return None


def count_unspaced(text: str) -> int:
    """About how many words there are in a script that puts no blanks between them."""
    return (
        sum("\u2e80" <= each <= "\ud7ff" or "\u0e00" <= each <= "\u0eff" for each in text)
        // CHARACTERS_OF_WORD
    )


def split_path(name: str) -> tuple[str, ...] | None:
    """`escalation.contact` as its parts; None for a plain name."""
    return tuple(name.split(".")) if "." in name else None


def find_value(fields: Mapping[str, Any], name: str, path: tuple[str, ...] | None) -> object:
    """The value under a name or a dotted path, None where there is none. A field that has the dots in its name wins."""
    if path is None or name in fields:
        return fields.get(name)
    value: object = fields
    for part in path:
        if not isinstance(value, dict):
            return None
        value = value.get(part)
    return value


def shown(value: object) -> str:
    """A value as a reason quotes it, cut short and fit for a terminal."""
    if isinstance(value, str):
        if len(value) <= SHOWN and value.isprintable():
            return f"“{value}”"
        text = printable(" ".join(value[: SHOWN * 4].split()))
        return f"“{text if len(text) <= SHOWN else text[: SHOWN - 1] + '…'}”"
    if value is None or isinstance(value, bool):
        return {None: "nothing", True: "true", False: "false"}[value]
    if isinstance(value, int | float) and -1e15 < value < 1e15:
        return str(value)
    kinds = {int: "a number", float: "a number", list: "a list", tuple: "a list", dict: "an object"}
    return next(
        (word for kind, word in kinds.items() if isinstance(value, kind)), f"a {type(value).__name__}"
    )


def printable(text: str) -> str:
    """Without what steers a terminal, hides in a line or is half a character."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)


def describe_error(error: BaseException) -> str:
    """An error as a reason tells it, also one that cannot tell it itself."""
    try:
        message = str(error)
    except Exception:
        message = "which cannot be told"
    return f"{type(error).__name__} {shown(message)}"


def identity(value: object) -> str:
    """An id as text, also one that is none."""
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, UUID) else shown(value)


def named(fields: Collection[str]) -> str:
    """`a`, `b` and `c`."""
    quoted = [f"`{field}`" for field in fields]
    return f"{', '.join(quoted[:-1])} and {quoted[-1]}" if len(quoted) > 1 else "".join(quoted)


def numbered(count: int, word: str) -> str:
    """`1 source`, `2 sources`."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
