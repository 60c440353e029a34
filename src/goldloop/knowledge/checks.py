"""What is checked before words of feedback become knowledge: echoes, orders, numbers and names, what is private. Pure.

Feedback reads like instructions by its nature, so that what looks suspicious is a hint for a person and no proof.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

SHINGLE = 5  # words: with three, one of four independent notes would be taken for an echo
ECHO = 0.50  # of a note's shingles that knowledge has
ECHO_COSINE = 0.85
DUPLICATE = 0.85  # how alike two rows are that say one thing
CONTRADICTS = 0.75  # with another number or name in it: a person is asked which one holds
NEAR = 0.60  # from which on they are shown side by side
LEAST_WORDS = 4  # of a text that is compared by its words alone
LONGEST_LEARNT = 280  # characters of what a model words

_WORD = re.compile(r"\w+(?:['’.-]\w+)*")
_ORDERS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|prior|above|earlier|all|your|system)\b.{0,40}\b(?:instructions?|prompts?|rules?|guidelines?|directions?)\b",
        r"\byou are (?:now|no longer)\b",
        r"\b(?:act|behave|respond|pretend) as (?:if|though|an?|the)\b.{0,40}\b(?:system|admin|developer|root|unrestricted|jailbroken|dan)\b",
        r"\b(?:print|show|repeat|output)\b.{0,30}\b(?:system prompt|your (?:prompt|instructions))\b"
        r"|\b(?:reveal|leak)\b.{0,30}\b(?:prompt|instructions|api[ _-]?keys?|passwords?|secrets?|credentials?)\b",
        r"\bnew (?:system )?(?:instructions?|rules?)\s*:",
        r"(?:^|\n)\s*(?:system|assistant|developer)\s*:",
        r"<\s*/?\s*(?:system|instructions?|shared_context|im_start|im_end)\b|\[/?INST\]|<\|",
        r"\bdo not (?:tell|inform|mention|reveal|alert)\b.{0,30}\b(?:users?|anyone|person|people|admins?|humans?)\b",
    )
]
_URL = re.compile(r"\b[a-z][a-z0-9+.-]*://\S+|\bwww\.\S+", re.IGNORECASE)
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_ID = re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:[.,]\d+)*(?:\s?%)?")
_QUOTED = re.compile(r"`([^`\n]{1,80})`|\"([^\"\n]{1,80})\"|“([^”\n]{1,80})”")
_CODE = re.compile(r"\b\w+_\w+\b|\b[a-z]+[A-Z]\w+\b")
_NAME = re.compile(r"(?<![.!?:\"“`]\s)(?<!^)\b[^\W\d_a-zà-ÿ][\w'’-]+(?:\s+[^\W\d_a-zà-ÿ][\w'’-]+)*")
_SECRET = re.compile(
    r"\b(?:sk|pk|ghp|gho|xox[abp]|gl[a-z])[-_][\w-]{12,}|\b(?:api[ _-]?key|password|secret|token)\s*[:=]\s*\S+",
    re.IGNORECASE,
)
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){3,7}(?:\s?[A-Z0-9]{1,3})?\b")
_PHONE = re.compile(r"(?<![\w.])\+?\d{1,3}[\s/().-]*(?:\d[\s/().-]*){7,12}\d(?!\w)")
_DIGITS = re.compile(r"(?<!\w)(?:\d[ -]?){12,18}\d(?!\w)")


def shingles(text: str) -> set[tuple[str, ...]]:
    words = [word.lower() for word in _WORD.findall(text)]
    return {tuple(words[i : i + SHINGLE]) for i in range(len(words) - SHINGLE + 1)}


def containment(note: str, texts: Iterable[str]) -> float:
    """The share of a note's shingles that the texts have; 0 for a note that has none."""
    own = shingles(note)
    known = {shingle for text in texts for shingle in shingles(text)}
    return len(own & known) / len(own) if own else 0.0


def is_echo(note: str, texts: Sequence[str], cosine: float | None = None) -> bool:
    """Whether the words of a note come from the texts, which were in the prompt of what it speaks of."""
    return containment(note, texts) >= ECHO or (cosine is not None and cosine >= ECHO_COSINE)


def suspicious(text: str) -> list[str]:
    """The passages that read like orders to a model rather than like something about its work."""
    found = (pattern.search(text) for pattern in _ORDERS)
    return [match[0].strip() for match in found if match]


def numbers_of(text: str) -> set[str]:
    """As they would be compared: 12,000 and 12000 are one."""
    return {
        re.sub(r"(?<=\d),(?=\d{3}\b)|\s", "", number).lstrip("+")
        for number in _NUMBER.findall(_ID.sub(" ", text))
    }


def names_of(text: str) -> set[str]:
    """What is quoted, what is written like code, and words that are capitalised within a sentence."""
    quoted = {part for groups in _QUOTED.findall(text) for part in groups if part}
    return {name.lower() for name in (*quoted, *_CODE.findall(text), *_NAME.findall(_QUOTED.sub(" ", text)))}


def particulars(text: str) -> set[str]:
    """All that a rule can have wrong although it reads the same: numbers, names, addresses, ids."""
    found = {*_URL.findall(text), *_EMAIL.findall(text), *_ID.findall(text)}
    return numbers_of(text) | names_of(text) | {each.lower() for each in found}


def unsupported(content: str, notes: Iterable[str]) -> list[str]:
    """What a content names that none of the notes has. A number within another is not that number."""
    spoken = " ".join(notes)
    words = spoken.lower()
    numbers = numbers_of(content)
    others = {each for each in particulars(content) - numbers if each not in words}
    return sorted((numbers | others) - particulars(spoken))


def particulars_differ(one: str, other: str) -> bool:
    """Whether two texts that read alike speak of different numbers, or each of a name that the other has not."""
    if numbers_of(one) != numbers_of(other):
        return True
    ours, theirs = names_of(one), names_of(other)
    return bool(ours - theirs) and bool(theirs - ours)


def named_otherwise(content: str, notes: Sequence[str]) -> list[str]:
    """What a rule names where notes that are to support it name something else in its place: numbers, or names. Empty where
    either has none, or where one is in both."""
    differing: list[str] = []
    for read in (numbers_of, names_of):
        own, theirs = read(content), {each for note in notes for each in read(note)}
        if own and theirs and not own & theirs:
            differing += sorted(own)
    return differing


class Likeness(StrEnum):
    """How one row is to another: they say one thing, they read alike and differ in a number or a name, or they are about
    one matter."""

    DUPLICATE = "duplicate"
    CONFLICT = "conflict"
    NEAR = "near"


def likeness(one: str, other: str, similarity: float, cosine: float | None = None) -> Likeness | None:
    """`cosine` is that of an encoder, which by itself says whether two say one thing."""
    if similarity < NEAR:
        return None
    if particulars_differ(one, other):
        return Likeness.CONFLICT
    return Likeness.DUPLICATE if max(similarity, cosine or 0.0) >= DUPLICATE else Likeness.NEAR


def words_alike(one: str, other: str) -> float:
    """The share of the words of both that each has, but for numbers; 0 where one has too few. For what no encoder has read."""
    ours, theirs = _words(one), _words(other)
    if min(len(ours), len(theirs)) < LEAST_WORDS:
        return 0.0
    return len(ours & theirs) / len(ours | theirs)


@lru_cache(2048)  # the rows of a workspace are compared with each that is new
def _words(text: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(_NUMBER.sub(" ", text)))


def reserved(content: str, tools: Collection[str]) -> list[str]:
    """What only a person may write into knowledge: addresses, what looks like a secret, and names of tools."""
    named = {name for name in _WORD.findall(content) if name in tools}
    return sorted(
        {*_URL.findall(content), *_EMAIL.findall(content), *(m[0] for m in _SECRET.finditer(content)), *named}
    )


class Origins(NamedTuple):
    """Of the signals that support a row: how many are distinct, how many people and agents gave them, whether a member is among
    them, and whether an administrator has flagged it, which is enough by itself."""

    distinct: int
    actors: int
    has_member: bool
    flagged: bool = False


def faults_of(
    texts: Sequence[str], notes: Sequence[str], origins: Origins, tools: Collection[str], least: int
) -> list[str]:
    """Why what a machine worded waits for a person; empty where nothing speaks against it. `texts` are what a row says and,
    where it does, when that applies: prompts have both."""
    faults = []
    if origins.flagged:
        pass
    elif origins.distinct < least:
        faults.append(f"only {origins.distinct} distinct signals support it")
    elif origins.actors < least:
        faults.append("one alone gave all the signals that support it")
    if not origins.has_member:
        faults.append("no member is among those who support it")
    if any(len(text) > LONGEST_LEARNT for text in texts):
        faults.append(f"it has more than {LONGEST_LEARNT} characters")
    if new := [each for text in texts for each in unsupported(text, notes)]:
        faults.append(f"none of its feedback has {', '.join(new[:5])}")
    if wrong := [passage for text in (*texts, *notes) for passage in suspicious(text)]:
        faults.append(f"it reads like an order to a model: {wrong[0]}")
    if kept := [each for text in texts for each in reserved(text, tools)]:
        faults.append(f"only a person may write {', '.join(kept[:5])} into it")
    return faults


def without_private(text: str, names: Iterable[str] = ()) -> str:
    """With addresses, numbers of phones, accounts and cards, and given names masked."""
    text = _IBAN.sub("<account>", _EMAIL.sub("<email>", text))
    text = _DIGITS.sub(lambda found: "<card>" if _passes_luhn(found[0]) else "<number>", text)
    text = _PHONE.sub("<phone>", text)
    for name in sorted(filter(None, names), key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "<name>", text, flags=re.IGNORECASE)
    return text


def _passes_luhn(text: str) -> bool:
    digits = [int(c) for c in text if c.isdigit()][::-1]
    doubled = [d if i % 2 == 0 else sum(divmod(2 * d, 10)) for i, d in enumerate(digits)]
    return 13 <= len(digits) <= 19 and sum(doubled) % 10 == 0
