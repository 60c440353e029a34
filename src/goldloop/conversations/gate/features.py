"""The numbers that the embedded detector judges a sentence by, beside its embedding. Pure.

The order of the features is the order of the weights: a change here needs new weights (tools/train_gate.py).
"""

import math
import re
from dataclasses import dataclass

from . import cues, lexicon
from .text import Message, words

_ASKS = re.compile(r"[?？؟]\W*$")
_OFFERS = re.compile(
    r"(?<!\w)(?:shall i|should i|do you want|would you like|can i|may i|which|is that|does it|did you|have you|how (?:are|is|was|did|do))(?!\w)",
    re.IGNORECASE,
)
_SORRY = re.compile(r"(?<!\w)(?:sorry|apolog\w+|unfortunately|cannot|can't|not able)(?!\w)", re.IGNORECASE)
_CODE = re.compile(r"```|(?<!\w)(?:def|SELECT|import|const|function|UPDATE|DELETE|sudo|npm|pip)(?!\w)")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_DELIVERS = re.compile(
    r"^\W*(?:(?:sure|certainly|of course|ok|okay|done|great)[\s,.!:]+)*(?:here(?:'s| is| are| you go|’s)|hier (?:ist|sind|is|zijn)|voici|voilà|"
    r"aquí|aqui|segue|ecco|вот|oto|işte|här|zde|đây|berikut|yahan)(?!\w)|^(?:以下|这是|こちら|여기|هذا|هذه|إليك|यहाँ|यह)",
    re.IGNORECASE,
)
_INSTRUCTS = re.compile(
    r"^\W*(?:(?:first|then|please|just|simply|now|you (?:can|could|should|need to|have to|must)|try to|i(?:'d)? (?:recommend|suggest)|let's)[\s,]+)*"
    r"(?:add|apply|ask|bake|book|buy|call|change|check|choose|clean|clear|click|close|connect|contact|copy|cut|delete|disable|download|edit|"
    r"enable|enter|export|fold|follow|go|hold|import|increase|install|leave|log|look|lower|make|mix|move|open|pass|paste|pick|plug|press|pull|put|"
    r"reboot|reduce|reinstall|remove|rename|replace|reset|restart|roll|run|save|search|select|send|set|show|sign|start|stop|switch|take|tap|try|"
    r"turn|type|uninstall|unplug|update|upgrade|use|visit|wait|wrap|write)(?:ing)?(?!\w)",
    re.IGNORECASE,
)
_DID = re.compile(
    r"(?<!\w)(?:i(?:'ve| have|’ve)? (?:just )?(?:\w+ed|made|put|sent|set|wrote|found|built|took|ran|did|cut|split)|has been|have been|is (?:now|done|fixed|"
    r"booked|updated)|are now|ich habe|j'ai|he \w+ado|eu \w+ei|ho \w+to|ik heb)(?!\w)",
    re.IGNORECASE,
)
_DAY = re.compile(
    r"(?<!\w)(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?!\w)|(?<!\w)(?:january|february|march|april|may|june|july|august|september|october|"
    r"november|december)(?!\w)",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][\w'’-]+")  # within a sentence, so that its first word is none
_REJECTED = re.compile(
    r"(?<!\w)(?:not|nicht|pas|no|não|non|niet|не|nie)\s+(?:a |an |the |in |on |at |for )?([\w-]+)",
    re.IGNORECASE,
)

# What a cue means depends on what was said before: "no" answers a question, "it works" answers "does it work?".
_AFTER_STATEMENT = (
    "refusal",
    "assent",
    "good_emoji",
    "bad_emoji",
    "thanks",
    "praise",
    "right",
    "fails",
    "contrast",
    "points_at",
    "understood",
    "asked",
    "again",
    "judges_well",
    "judges_ill",
    "good_outcome",
    "bad_outcome",
)
_AFTER_QUESTION = (
    "right",
    "understood",
    "liking",
    "praise",
    "works",
    "fails",
    "wrong",
    "refusal",
    "assent",
    "good_emoji",
    "lukewarm",
    "thanks",
    "judges_well",
    "judges_ill",
)
_TOGETHER = (
    ("praise", "but"),
    ("works", "but"),
    ("works", "fails"),
    ("praise", "wrong"),
    ("praise", "fails"),
    ("lukewarm", "but"),
    ("right", "but"),
    ("liking", "but"),
    ("right", "wrong"),
    ("tried", "works"),
    ("tried", "fails"),
    ("tried", "not_good"),
    ("thanks", "works"),
    ("thanks", "liking"),
    ("thanks", "praise"),
    ("thanks", "request"),
    ("thanks", "question"),
    ("thanks", "next"),
    ("thanks", "in_advance"),
    ("request", "wrong"),
    ("request", "fails"),
    ("request", "praise"),
    ("question", "wrong"),
    ("question", "fails"),
    ("others", "wrong"),
    ("others", "praise"),
    ("self", "wrong"),
    ("asked", "contrast"),
    ("asked", "again"),
    ("again", "fails"),
    ("you_did", "wrong"),
    ("you_did", "fails"),
    ("you_did", "praise"),
    ("points_at", "wrong"),
    ("points_at", "fails"),
    ("points_at", "praise"),
    ("foreign_task", "wrong"),
    ("foreign_task", "fails"),
    ("foreign_task", "praise"),
    ("judges_well", "judges_ill"),
    ("judges_well", "but"),
    ("judges_well", "thanks"),
    ("judges_well", "request"),
    ("judges_well", "others"),
    ("judges_well", "foreign_task"),
    ("judges_ill", "others"),
    ("judges_ill", "request"),
    ("judges_ill", "foreign_task"),
    ("judges_ill", "challenge"),
    ("good_outcome", "thanks"),
    ("good_outcome", "but"),
    ("bad_outcome", "but"),
    ("bad_outcome", "self"),
    ("praise", "next"),
    ("praise", "bad_outcome"),
    ("works", "bad_outcome"),
    ("good_outcome", "fails"),
    ("praise", "judges_well"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What the assistant said before, as far as it changes what a reply means."""

    known: bool
    asks: bool
    offers: bool
    sorry: bool
    code: bool
    delivers: bool  # "Here is the letter": what follows is about it
    instructs: bool  # "Restart the router": what follows tells how it went
    did: bool  # "I've changed the query": what follows sees the result
    numbers: frozenset[str]
    days: frozenset[str]
    names: frozenset[str]
    vocabulary: frozenset[str]


def read_context(previous_assistant: str | None) -> Context:
    said = (previous_assistant or "").strip()
    end = said[-300:]
    return Context(
        known=bool(said),
        asks=_ASKS.search(end) is not None,
        offers=_OFFERS.search(end) is not None and _ASKS.search(end) is not None,
        sorry=_SORRY.search(said[:400]) is not None,
        code=_CODE.search(said) is not None,
        delivers=_DELIVERS.search(said) is not None,
        instructs=_INSTRUCTS.search(said) is not None,
        did=_DID.search(said[:400]) is not None,
        numbers=frozenset(_NUMBER.findall(said)),
        days=frozenset(day.lower() for day in _DAY.findall(said)),
        names=frozenset(_NAME.findall(said)),
        vocabulary=frozenset(words(said[:4000])),
    )


def describe(
    unit: str, *, message: Message, place: int, places: int, context: Context, likeness: float
) -> list[float]:
    """The features of one sentence (or of the whole message): `likeness` is its cosine to the assistant's message."""
    found = dict(zip(cues.NAMES, cues.found_in(unit), strict=True))
    spoken = words(unit)
    count = len(spoken)
    numbers = set(_NUMBER.findall(unit))
    letters = [c for c in unit if c.isalpha()]
    plain = not (found["request"] or found["question"])  # a statement: nothing is wanted
    answered = context.known and not context.asks
    shared = len(context.vocabulary.intersection(spoken)) / count if count else 0.0
    told = plain and answered
    return [
        *(float(value) for value in found.values()),
        *(float(found[a] and found[b]) for a, b in _TOGETHER),
        *(float(found[name] and context.asks) for name in _AFTER_QUESTION),
        *(float(found[name] and answered) for name in _AFTER_STATEMENT),
        float(plain),
        float(plain and answered),
        float(plain and answered and context.code),
        float(plain and not context.known),
        float(plain and found["others"]),
        float(plain and found["self"]),
        likeness * float(plain and answered),
        shared * float(plain and answered),
        float(answered and count <= 3),
        float(count <= 1),
        float(count <= 3),
        float(count <= 6),
        math.log1p(count) / 4,
        float("!" in unit or "！" in unit),
        float(len(letters) > 3 and sum(c.isupper() for c in letters) > 0.7 * len(letters)),
        float(any(ord(c) > 0x2E7F for c in letters)),
        float(message.foreign),
        float(message.echo),
        float(bool(numbers)),
        float(bool(numbers & context.numbers)),
        float(bool(numbers - context.numbers) and bool(context.numbers)),
        float(context.known),
        float(context.asks),
        float(context.offers),
        float(context.asks and count <= 4),
        float(context.sorry),
        float(context.code),
        shared,
        likeness,
        likeness * float(found["question"]),
        float(place == 0),
        float(place == places - 1),
        float(places == 1),
        math.log1p(places) / 3,
        float(
            found["request"] and not (found["wrong"] or found["fails"] or found["again"] or found["asked"])
        ),
        float(
            found["question"] and not (found["wrong"] or found["fails"] or found["again"] or found["you_did"])
        ),
        *_tone(unit, found=found, told=told, context=context),
        *_setting(found=found, told=told, context=context),
        *_contradiction(unit, numbers=numbers, told=told, count=count, context=context),
    ]


def _tone(unit: str, *, found: dict[str, bool], told: bool, context: Context) -> list[float]:
    tone = lexicon.tone_of(unit)
    good, ill = bool(tone.good or tone.not_ill), bool(tone.ill or tone.not_good)
    return [
        *(float(bool(n)) for n in (tone.good, tone.ill, tone.not_good, tone.not_ill)),
        math.tanh((tone.good + tone.not_ill - tone.ill - tone.not_good) / 2),
        *(float(n) for n in (good and ill, good and not ill, ill and not good)),
        *(float(n and told) for n in (good, ill)),
        *(float(n and context.asks) for n in (good, ill)),
        *(float(n and found["question"]) for n in (good, ill)),
        *(float(n and found["request"]) for n in (good, ill)),
        *(float(n and found["others"]) for n in (good, ill)),
        *(float(n and found["thanks"]) for n in (good, ill)),
        float(good and found["but"]),
        float(ill and found["but"]),
        float(good and ill and found["but"]),
    ]


def _setting(*, found: dict[str, bool], told: bool, context: Context) -> list[float]:
    """What the answer was, and what a reply to such an answer tells."""
    answers = (context.delivers, context.instructs, context.did)
    return [
        *(float(answer) for answer in answers),
        *(float(answer and told) for answer in answers),
        *(float(answer and found["question"]) for answer in answers),
        *(float(answer and found["good_outcome"] and told) for answer in answers),
        *(float(answer and found["bad_outcome"] and told) for answer in answers),
        float(found["challenge"] and found["question"]),
        float(found["challenge"] and (context.delivers or context.did)),
        float(found["challenge"] and not context.known),
        float(found["good_outcome"] and found["bad_outcome"]),
        float(found["good_outcome"] and context.asks),
        float(found["bad_outcome"] and context.asks),
        float(found["bad_outcome"] and not context.known),
        float(found["bad_outcome"] and found["question"]),
        float(found["bad_outcome"] and found["request"]),
    ]


def _contradiction(unit: str, *, numbers: set[str], told: bool, count: int, context: Context) -> list[float]:
    """Whether a plain statement has another day, name or number than the answer, or rejects a word of it."""
    days = {day.lower() for day in _DAY.findall(unit)}
    names = set(_NAME.findall(unit))
    rejected = {word.lower() for word in _REJECTED.findall(unit)}
    return [
        float(told and bool(days - context.days) and bool(context.days)),
        float(told and bool(names - context.names) and bool(context.names)),
        float(told and bool(numbers - context.numbers) and bool(context.numbers) and count <= 14),
        float(bool(rejected & context.vocabulary)),
        float(bool(rejected & context.vocabulary) and told),
    ]
