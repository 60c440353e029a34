"""The numbers that the embedded detector judges a sentence by, beside its embedding. Pure.

The weights name the features they were trained with, in their order; one that has no weights is not looked at. What a
feature means is frozen with the weights: a change here needs new ones (tools/train_gate.py).
"""

import math
import re
from collections.abc import Callable
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
_AFTER_ANSWER = (
    "refusal",
    "assent",
    "good_emoji",
    "bad_emoji",
    "thanks",
    "praise",
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
    "understood",
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
    ("tried", "works"),
    ("tried", "fails"),
    ("tried", "not_good"),
    ("thanks", "works"),
    ("thanks", "praise"),
    ("thanks", "request"),
    ("thanks", "question"),
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
    ("praise", "bad_outcome"),
    ("works", "bad_outcome"),
    ("good_outcome", "fails"),
    ("praise", "judges_well"),
)


_WITH_TONE = ("question", "request", "others", "thanks", "but")


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

    @property
    def answers(self) -> bool:
        """It said something and asked nothing."""
        return self.known and not self.asks


def read_context(previous_assistant: str | None) -> Context:
    answer = (previous_assistant or "").strip()
    end = answer[-300:]
    return Context(
        known=bool(answer),
        asks=_ASKS.search(end) is not None,
        offers=_OFFERS.search(end) is not None and _ASKS.search(end) is not None,
        sorry=_SORRY.search(answer[:400]) is not None,
        code=_CODE.search(answer) is not None,
        delivers=_DELIVERS.search(answer) is not None,
        instructs=_INSTRUCTS.search(answer) is not None,
        did=_DID.search(answer[:400]) is not None,
        numbers=frozenset(_NUMBER.findall(answer)),
        days=frozenset(day.lower() for day in _DAY.findall(answer)),
        names=frozenset(_NAME.findall(answer)),
        vocabulary=frozenset(words(answer[:4000])),
    )


def describe(
    unit: str,
    *,
    message: Message,
    place: int,
    places: int,
    context: Context,
    likeness: float,
    found_in: Callable[[str], tuple[bool, ...]] = cues.found_in,
) -> dict[str, float]:
    """The features of one sentence (or of the whole message) by name: `likeness` is its cosine to the assistant's
    message, `found_in` tells which cues it has."""
    found = dict(zip(cues.NAMES, found_in(unit), strict=True))
    spoken = words(unit)
    shared = len(context.vocabulary.intersection(spoken)) / len(spoken) if spoken else 0.0
    numbers = set(_NUMBER.findall(unit))
    plain = not (found["request"] or found["question"])  # a statement: nothing is wanted
    stated = plain and context.answers  # a statement after an answer
    features = (
        _cues(found, context)
        | _statement(found, plain=plain, shared=shared, likeness=likeness, context=context)
        | _shape(unit, count=len(spoken), message=message, numbers=numbers, context=context)
        | _surroundings(found, count=len(spoken), shared=shared, likeness=likeness, context=context)
        | _position(place=place, places=places)
        | _wishes(found)
        | _tone(unit, found=found, stated=stated, context=context)
        | _setting(found, stated=stated, context=context)
        | _contradiction(unit, numbers=numbers, stated=stated, count=len(spoken), context=context)
    )
    return {name: float(value) for name, value in features.items()}


Features = dict[str, float | bool]


def _cues(found: dict[str, bool], context: Context) -> Features:
    return {
        **found,
        **{f"{a} and {b}": found[a] and found[b] for a, b in _TOGETHER},
        **{f"{name} after a question": found[name] and context.asks for name in _AFTER_QUESTION},
        **{f"{name} after an answer": found[name] and context.answers for name in _AFTER_ANSWER},
    }


def _statement(
    found: dict[str, bool], *, plain: bool, shared: float, likeness: float, context: Context
) -> Features:
    stated = plain and context.answers
    return {
        "statement": plain,
        "statement after an answer": stated,
        "statement after code": stated and context.code,
        "statement after nothing": plain and not context.known,
        "statement about others": plain and found["others"],
        "statement about oneself": plain and found["self"],
        "likeness of a statement": likeness * stated,
        "shared words of a statement": shared * stated,
    }


def _shape(unit: str, *, count: int, message: Message, numbers: set[str], context: Context) -> Features:
    letters = [c for c in unit if c.isalpha()]
    return {
        "at most 3 words after an answer": context.answers and count <= 3,
        "at most 1 word": count <= 1,
        "at most 3 words": count <= 3,
        "at most 6 words": count <= 6,
        "words": math.log1p(count) / 4,
        "exclamation": "!" in unit or "！" in unit,
        "capitals": len(letters) > 3 and sum(c.isupper() for c in letters) > 0.7 * len(letters),
        "east asian": any(ord(c) > 0x2E7F for c in letters),
        "foreign text": message.foreign,
        "echo": message.echo,
        "number": bool(numbers),
        "number of the answer": bool(numbers & context.numbers),
        "another number": bool(numbers - context.numbers) and bool(context.numbers),
    }


def _surroundings(
    found: dict[str, bool], *, count: int, shared: float, likeness: float, context: Context
) -> Features:
    return {
        "after something": context.known,
        "after a question": context.asks,
        "after an offer": context.offers,
        "at most 4 words after a question": context.asks and count <= 4,
        "after an apology": context.sorry,
        "after code": context.code,
        "shared words": shared,
        "likeness": likeness,
        "likeness of a question": likeness * found["question"],
    }


def _position(*, place: int, places: int) -> Features:
    return {
        "first sentence": place == 0,
        "last sentence": place == places - 1,
        "only sentence": places == 1,
        "sentences": math.log1p(places) / 3,
    }


def _wishes(found: dict[str, bool]) -> Features:
    """A request or a question that finds no fault."""
    fault = found["wrong"] or found["fails"] or found["again"]
    return {
        "faultless request": found["request"] and not (fault or found["asked"]),
        "faultless question": found["question"] and not (fault or found["you_did"]),
    }


def _tone(unit: str, *, found: dict[str, bool], stated: bool, context: Context) -> Features:
    tone = lexicon.tone_of(unit)
    good, ill = bool(tone.good or tone.not_ill), bool(tone.ill or tone.not_good)
    sides = {"good": good, "ill": ill}
    return {
        "good word": bool(tone.good),
        "ill word": bool(tone.ill),
        "negated good word": bool(tone.not_good),
        "negated ill word": bool(tone.not_ill),
        "tone": math.tanh((tone.good + tone.not_ill - tone.ill - tone.not_good) / 2),
        "good and ill": good and ill,
        "only good": good and not ill,
        "only ill": ill and not good,
        **{f"{side} statement": is_so and stated for side, is_so in sides.items()},
        **{f"{side} after a question": is_so and context.asks for side, is_so in sides.items()},
        **{f"{side} with {cue}": is_so and found[cue] for cue in _WITH_TONE for side, is_so in sides.items()},
        "good and ill with but": good and ill and found["but"],
    }


def _setting(found: dict[str, bool], *, stated: bool, context: Context) -> Features:
    """What the answer was, and what a reply to such an answer tells."""
    kinds = {"delivery": context.delivers, "instruction": context.instructs, "deed": context.did}
    good, bad, challenge = found["good_outcome"], found["bad_outcome"], found["challenge"]
    return {
        **{f"after a {kind}": is_so for kind, is_so in kinds.items()},
        **{f"statement after a {kind}": is_so and stated for kind, is_so in kinds.items()},
        **{f"question after a {kind}": is_so and found["question"] for kind, is_so in kinds.items()},
        **{f"good_outcome after a {kind}": is_so and good and stated for kind, is_so in kinds.items()},
        **{f"bad_outcome after a {kind}": is_so and bad and stated for kind, is_so in kinds.items()},
        "challenge and question": challenge and found["question"],
        "challenge after a delivery or deed": challenge and (context.delivers or context.did),
        "challenge after nothing": challenge and not context.known,
        "good_outcome and bad_outcome": good and bad,
        "good_outcome after a question": good and context.asks,
        "bad_outcome after a question": bad and context.asks,
        "bad_outcome after nothing": bad and not context.known,
        "bad_outcome and question": bad and found["question"],
        "bad_outcome and request": bad and found["request"],
    }


def _contradiction(unit: str, *, numbers: set[str], stated: bool, count: int, context: Context) -> Features:
    """Whether a plain statement has another day, name or number than the answer, or rejects a word of it."""
    days = {day.lower() for day in _DAY.findall(unit)}
    names = set(_NAME.findall(unit))
    rejects = bool({word.lower() for word in _REJECTED.findall(unit)} & context.vocabulary)
    return {
        "contradicts a day": stated and bool(days - context.days) and bool(context.days),
        "contradicts a name": stated and bool(names - context.names) and bool(context.names),
        "contradicts a number": stated
        and bool(numbers - context.numbers)
        and bool(context.numbers)
        and count <= 14,
        "rejects a word": rejects,
        "statement rejects a word": rejects and stated,
    }


NAMES = tuple(
    describe(
        "",
        message=Message(own="", sentences=(), foreign=False, echo=False),
        place=0,
        places=1,
        context=read_context(None),
        likeness=0.0,
        found_in=lambda _: (False,) * len(cues.NAMES),
    )
)
