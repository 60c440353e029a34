"""The phrases by which people react, ask, thank and quote, in many languages. Pure.

A cue is a kind of phrase; a sentence either has it or not. They stand beside the embedding, which knows what a
sentence is about better than whether it praises or complains, and which does not know Hindi. The phrases are data:
`phrases/<language>.tsv` has one a line, as a regular expression, with the cue that it belongs to. A phrase of one of
the `CLASSES` of words is used by others as `{work}`.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PHRASES = Path(__file__).parent / "phrases"
UNSPACED = {
    "ar",
    "emoji",
    "hi",
    "ja",
    "ko",
    "zh",
}  # no boundary of a word can be told: a phrase has its own anchors
CLASSES = ("work", "them")  # words for what an assistant makes, and for people who are not the user

_ANYWHERE = r"(?<!\w)(?:{phrases})(?!\w)"
_POLITE = (
    r"^\W*(?:(?:ok|okay|great|good|nice|cool|perfect|thanks|thank you|thx|please|pls|hi|hey|hello|and|now|then|just|"
    r"excellent)[\s,.!]+)*(?:please |can you |could you |would you |will you |i need |i want |i'?d like |i would like |"
    r"help me |let'?s |kindly )?"
)
_NOT_A_REFUSAL = r"\s+(?:more|longer|problem|worries|need|idea|way|thanks|thank|grazie|danke|merci|gracias)"

# Where the phrases of a cue stand, in languages with spaces.
FRAMES: dict[str, str] = {
    "judges_well": _ANYWHERE,
    "judges_ill": _ANYWHERE,
    "praise": _ANYWHERE,
    "works": _ANYWHERE,
    "fails": _ANYWHERE,
    "wrong": _ANYWHERE,
    "not_good": _ANYWHERE,
    "litotes": _ANYWHERE,
    "understood": _ANYWHERE,
    "tried": _ANYWHERE,
    "refusal": rf"^\W*(?:{{phrases}})(?!\w)(?!{_NOT_A_REFUSAL})",
    "assent": r"^\W*(?:{phrases})(?!\w)",
    "asked": _ANYWHERE,
    "again": _ANYWHERE,
    "you_did": _ANYWHERE,
    "contrast": _ANYWHERE,
    "points_at": r"^\W*(?:{phrases})(?:['’]s|['’]re)?(?!\w)",
    "but": _ANYWHERE,
    "lukewarm": _ANYWHERE,
    "thanks": _ANYWHERE,
    "thanks_much": _ANYWHERE,
    "request": rf"{_POLITE}(?:{{phrases}})(?!\w)",
    "question": r"^\W*(?:(?:and|so|but|ok|okay|hm+|wait)[\s,.]+)*(?:{phrases})(?!\w)",
    "challenge": (
        r"^\W*(?:(?:and|so|but|then|wait|ok|okay|um|er|hm+|hang on|sorry|excuse me|well|seriously|now)[\s,.…-]+)*"
        r"(?:{phrases})(?!\w)"
    ),
    "good_outcome": _ANYWHERE,
    "bad_outcome": _ANYWHERE,
    "others": _ANYWHERE,
    "self": _ANYWHERE,
    "foreign_task": _ANYWHERE,
    "good_emoji": _ANYWHERE,
    "bad_emoji": _ANYWHERE,
}
NAMES = tuple(FRAMES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    language: str
    cue: str
    pattern: str


@cache
def all_phrases() -> tuple[Phrase, ...]:
    return tuple(phrase for file in sorted(PHRASES.glob("*.tsv")) for phrase in _read(file))


def _read(file: Path) -> Iterable[Phrase]:
    for line in file.read_text(encoding="utf-8").splitlines()[1:]:
        cue, _, pattern = line.partition("\t")
        yield Phrase(language=file.stem, cue=cue, pattern=pattern)


def compile_cues(phrases: Collection[Phrase]) -> dict[str, re.Pattern[str]]:
    """One expression a cue, in the order of `NAMES`."""
    classes = {name: _either(p.pattern for p in phrases if p.cue == name) for name in CLASSES}
    return {cue: _compile(cue, [p for p in phrases if p.cue == cue], classes) for cue in NAMES}


def _compile(cue: str, phrases: list[Phrase], classes: dict[str, str]) -> re.Pattern[str]:
    spaced = _either(p.pattern for p in phrases if p.language not in UNSPACED)
    unspaced = _either(p.pattern for p in phrases if p.language in UNSPACED)
    framed = FRAMES[cue].replace("{phrases}", spaced)
    for name, words in classes.items():
        framed = framed.replace(f"{{{name}}}", words)
    return re.compile(f"{framed}|{unspaced}", re.IGNORECASE)


def _either(patterns: Iterable[str]) -> str:
    """One of them; of none, what matches nothing."""
    return f"(?:{'|'.join(patterns) or '(?!)'})"


@cache
def _compiled() -> tuple[re.Pattern[str], ...]:
    return tuple(compile_cues(all_phrases()).values())


def found_in(sentence: str) -> tuple[bool, ...]:
    """Which cues the sentence has, in the order of `NAMES`."""
    text = sentence.replace("’", "'")
    return tuple(cue.search(text) is not None for cue in _compiled())
