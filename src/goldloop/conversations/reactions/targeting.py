"""Which turn a reaction means. Pure.

Candidates are scored by the seed's formula, `0.85·similarity + 0.15·recency`. The score ranks; what decides is
said in `locate`: a turn that is named wins, a clear lead wins, nothing similar means the last turn, and a close
call is left to a person. All candidates and their scores are kept with the reaction.
"""

import re
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Literal

import msgspec

from goldloop.conversations.reactions.model import MessageContext

SIMILARITY_WEIGHT, RECENCY_WEIGHT = 0.85, 0.15  # of the seed
STEM = 5  # letters
TOP = 5  # of the seed
WINDOW = timedelta(days=365)  # of the seed
FLOOR = 0.25  # below this cosine no turn is meant by its content: design/machine-reactions.md
FLOOR_ELSEWHERE = (
    0.50  # of very many turns one is alike by chance, so another conversation has to be plainly meant
)
MARGIN = 0.06  # two scores this close cannot be told apart: design/machine-reactions.md

Decision = Literal["only", "named", "clear", "last", "undecided"]

_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_IDENTIFIER = re.compile(
    r"\b(?:[A-Za-z]+[_./-][\w./-]*\w|\w*[a-z][A-Z]\w*|[A-Z]{2,}[A-Z0-9-]*|[A-Za-z]+\d\w*)\b"
)
_NAME = re.compile(r"(?<=[\w,;] )[A-Z][a-zà-ÿ]{2,}\b")
_WORD = re.compile(r"[^\W\d_]{4,}")
_CODE = re.compile(r"`([^`\n]{2,60})`")
_ORDINALS = {
    "first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3, "fifth": 4, "5th": 4,
}  # fmt: skip
_THINGS = r"(?:answers?|quer(?:y|ies)|versions?|drafts?|suggestions?|attempts?|tr(?:y|ies)|replies|reply|responses?|scripts?|summar(?:y|ies))"
_ORDINAL = re.compile(
    rf"\b(?:the|your)\s+(?:very\s+)?({'|'.join(_ORDINALS)}|last|previous|latest)\s+{_THINGS}\b", re.IGNORECASE
)


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """An earlier turn: `order` counts up over time, `text` is what was embedded of it."""

    turn_id: str
    conversation_id: str
    similarity: float
    ts: datetime
    order: int
    text: str = ""


class Scored(msgspec.Struct, frozen=True, kw_only=True):
    turn_id: str
    conversation_id: str
    similarity: float
    recency: float
    score: float
    named: list[str] = []  # numbers, names and ordinals of the message that only this turn has
    shared: list[str] = []  # plain words of the message that only this turn has


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """`turn_id` is None when there is no turn at all, or when a person has to settle it (`undecided`)."""

    turn_id: str | None
    conversation_id: str | None
    decision: Decision | None
    candidates: list[Scored]


NO_TARGET = Target(turn_id=None, conversation_id=None, decision=None, candidates=[])


def find_target(context: MessageContext, candidates: Sequence[Candidate]) -> Target:
    """The turn that the message is about. Reads the texts of all candidates: takes a while, for a thread."""
    here = [c for c in candidates if c.conversation_id == context.conversation_id]
    elsewhere = [c for c in candidates if c.conversation_id != context.conversation_id]
    return locate(context.message, here=here, elsewhere=elsewhere, now=context.ts)


def locate(
    message: str, *, here: Sequence[Candidate], elsewhere: Sequence[Candidate] = (), now: datetime
) -> Target:
    """Within the conversation first; then the user's others, but only for a turn that is clearly alike. A message that
    begins a conversation and is like nothing means the user's last turn."""
    near, far = _recent(here, now), _recent(elsewhere, now)
    if not near and not far:
        return NO_TARGET
    alike_here = any(c.similarity >= FLOOR for c in near) or any(named_in(message, near).values())
    alike_there = [c for c in far if c.similarity >= FLOOR_ELSEWHERE]
    if alike_there and not alike_here:
        return _decide(score(message, alike_there), max(alike_there, key=_age))
    if near:
        return _decide(score(message, near), max(near, key=_age))
    return _last(max(far, key=_age), score(message, far))


def score(message: str, candidates: Sequence[Candidate]) -> list[Scored]:
    """The best five, best first; of equals the newer one."""
    recency = recencies(candidates)
    named = named_in(message, candidates)
    shared = shared_with(message, candidates)
    ranked = sorted(
        candidates,
        key=lambda c: (_formula(c.similarity, recency[c.turn_id, c.conversation_id]), *_age(c)),
        reverse=True,
    )
    kept = ranked[:TOP]
    kept += [c for c in ranked[TOP:] if named[c.turn_id, c.conversation_id]][
        :1
    ]  # what is named is never left out
    return [
        Scored(
            turn_id=c.turn_id,
            conversation_id=c.conversation_id,
            similarity=round(c.similarity, 4),
            recency=round(recency[c.turn_id, c.conversation_id], 4),
            score=round(_formula(c.similarity, recency[c.turn_id, c.conversation_id]), 4),
            named=named[c.turn_id, c.conversation_id],
            shared=shared[c.turn_id, c.conversation_id],
        )
        for c in kept
    ]


def recencies(candidates: Sequence[Candidate]) -> dict[tuple[str, str], float]:
    """1 for the newest turn, 0 for the oldest, linear in time between; equal times go by order. A single turn has 1."""
    ordered = sorted(candidates, key=_age)
    if not ordered:
        return {}
    first, span = ordered[0].ts, (ordered[-1].ts - ordered[0].ts).total_seconds()
    if span == 0:
        steps = max(1, len(ordered) - 1)
        shares = [i / steps if len(ordered) > 1 else 1.0 for i in range(len(ordered))]
    else:
        shares = [(c.ts - first).total_seconds() / span for c in ordered]
    return {(c.turn_id, c.conversation_id): share for c, share in zip(ordered, shares, strict=True)}


def named_in(message: str, candidates: Sequence[Candidate]) -> dict[tuple[str, str], list[str]]:
    """The message's numbers, names and identifiers that occur in exactly one candidate, and its "second query"."""
    found = _only_in_one(_terms(message), candidates, _terms)
    if counted := _counted(message, candidates):
        found[counted[0].turn_id, counted[0].conversation_id].append(counted[1])
    return found


def shared_with(message: str, candidates: Sequence[Candidate]) -> dict[tuple[str, str], list[str]]:
    """The message's plain words that occur in exactly one candidate, by their stems."""
    return _only_in_one(_stems(message), candidates, _stems)


def _only_in_one(
    wanted: set[str], candidates: Sequence[Candidate], terms_of: Callable[[str], set[str]]
) -> dict[tuple[str, str], list[str]]:
    found: dict[tuple[str, str], list[str]] = {(c.turn_id, c.conversation_id): [] for c in candidates}
    terms = {(c.turn_id, c.conversation_id): terms_of(c.text) for c in candidates}
    for term in sorted(wanted):
        holders = [key for key, own in terms.items() if term in own]
        if len(holders) == 1 and len(candidates) > 1:
            found[holders[0]].append(term)
    return found


def _decide(scored: list[Scored], last: Candidate) -> Target:
    best = scored[0]
    if len(scored) == 1:
        return _target(best, "only", scored)
    named = [s for s in scored if s.named]
    if len(named) == 1 and (best.score - named[0].score < MARGIN or _is_counted(named[0])):
        return _target(named[0], "named", scored)
    alike = max(s.similarity for s in scored) >= FLOOR
    close = [s for s in scored if best.score - s.score < MARGIN] if alike else scored
    if len(close) > 1 and (worded := [s for s in close if s.named or s.shared]):
        if len(worded) == 1:
            return _target(worded[0], "named", scored)
        return Target(turn_id=None, conversation_id=None, decision="undecided", candidates=scored)
    if not alike:
        return _last(last, scored)
    if len(close) > 1:
        return Target(turn_id=None, conversation_id=None, decision="undecided", candidates=scored)
    return _target(best, "clear", scored)


def _last(last: Candidate, scored: list[Scored]) -> Target:
    return Target(
        turn_id=last.turn_id, conversation_id=last.conversation_id, decision="last", candidates=scored
    )


def _target(chosen: Scored, decision: Decision, scored: list[Scored]) -> Target:
    return Target(
        turn_id=chosen.turn_id, conversation_id=chosen.conversation_id, decision=decision, candidates=scored
    )


def _formula(similarity: float, recency: float) -> float:
    return SIMILARITY_WEIGHT * similarity + RECENCY_WEIGHT * recency


def _age(candidate: Candidate) -> tuple[datetime, int]:
    return candidate.ts, candidate.order


def _recent(candidates: Sequence[Candidate], now: datetime) -> list[Candidate]:
    return [c for c in candidates if now - c.ts <= WINDOW]


def _terms(text: str) -> set[str]:
    """Numbers as they are written, identifiers and names in lower case."""
    words = [*_IDENTIFIER.findall(text), *_NAME.findall(text), *_CODE.findall(text)]
    return set(_NUMBER.findall(text)) | {word.lower() for word in words}


def _stems(text: str) -> set[str]:
    """The beginnings of words of four letters and more: enough to match "queries" with "query" in many languages."""
    return {word[:STEM].lower() for word in _WORD.findall(text)}


def _counted(message: str, candidates: Sequence[Candidate]) -> tuple[Candidate, str] | None:
    """ "The second query": the second turn, if there is one."""
    if not (match := _ORDINAL.search(message)):
        return None
    ordered = sorted(candidates, key=_age)
    word = match[1].lower()
    place = _ORDINALS.get(word, len(ordered) - 1)
    return (ordered[place], match[0].lower()) if place < len(ordered) else None


def _is_counted(scored: Scored) -> bool:
    return any(" " in term for term in scored.named)
