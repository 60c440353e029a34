"""Feedback of the demo workspace, so that its groups have something to show: colleagues who read along, customers whose scores
come from another tool, agents and an administrator about a tool, runs that failed for one reason. Some of it was decided.
"""

from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.conversations.demo import SUPPORT
from goldloop.conversations.gate.model import Reaction
from goldloop.conversations.reactions import service as reactions
from goldloop.conversations.reactions.model import Reactor, TurnPlace
from goldloop.conversations.turns import store as turns
from goldloop.entities.demo import contract_id
from goldloop.entities.records import store as records
from goldloop.feedback.entries import service, store
from goldloop.feedback.entries.service import NewFeedback
from goldloop.feedback.groups import jobs as grouping
from goldloop.feedback.groups import service as groups
from goldloop.feedback.groups.store import Wanted
from goldloop.feedback.imports.kind_service import access_kind
from goldloop.feedback.imports.readers import Row
from goldloop.feedback.imports.service import Import
from goldloop.feedback.model import (
    DismissReason,
    FeedbackGroup,
    FeedbackSource,
    FeedbackStatus,
    GroupKind,
    Rating,
)
from goldloop.kit import moments
from goldloop.kit.clock import now
from goldloop.kit.db import Database, Tx
from goldloop.kit.outside import Outside
from goldloop.sessions import service as sessions
from goldloop.sessions import store as session_store
from goldloop.sessions.beginning import NewSession
from goldloop.sessions.demo import LONG_CHAT
from goldloop.sessions.model import SessionError, SessionStatus, SessionType
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.demo import Part, acting, demo_id

FEEDBACK = "feedback"  # the flow
FIRST = demo_id(950, "feedback about the search of the knowledge base")
_SEARCH, _REFUND = "searchKnowledge", "refund"


class Thought(NamedTuple):
    """What a colleague thought of an answer, `days` ago."""

    who: str
    conversation: str
    turn: str
    days: float
    text: str
    reaction: Reaction = "not_ok"


_THOUGHTS = [
    Thought("noor.haddad", "warranty", "turn_1", 0.8, "It does not say what the protection plan costs"),
    Thought("tomas.okafor", "warranty", "turn_1", 0.7, "It should say what the protection plan costs"),
    Thought("jonas.weber", "price-match", "turn_1", 11.6, "How to ask for the lower price is missing"),
]
# Scores of customers as another tool has exported them: who, how many days ago, of what, and why.
_SCORES: list[tuple[str, float, int, str]] = [
    ("cust-ravi", 20.1, 0, "The delivery date it gave me was wrong"),
    ("cust-elin", 16.4, 0, "Wrong delivery date, the parcel came two days later"),
    ("cust-otto", 9.3, 0, "It told me the wrong delivery date"),
    ("cust-mina", 3.2, 0, "The delivery date was wrong again"),
    ("cust-hana", 13.5, 0, "I had to type my order number three times"),
    ("cust-piet", 18.8, 1, "Clear steps, and my refund was there the next day"),
    ("cust-sofia", 6.1, 1, "The steps for the refund were clear"),
    ("cust-amir", 2.4, 1, "Friendly, and it knew my order at once"),
]
# What agents and an administrator say about tools: who, how many days ago, the tool and the observation.
_OBSERVED: list[tuple[str, float, str, str]] = [
    ("triage", 21.0, _SEARCH, "Returned no article for a ticket written in Swedish"),
    ("answer-bot", 14.2, _SEARCH, "The first three results were about another product"),
    ("mara.lindqvist", 5.5, _SEARCH, "It still finds the returns policy of last year"),
    ("answer-bot", 26.3, _REFUND, "The amount was refused because it had three decimals"),
    ("triage", 25.9, _REFUND, "Refused: the currency has to be in capital letters"),
]
_FAILED: list[tuple[float, str, int]] = [(10.3, "GX-20931", 10), (4.6, "GX-21077", 12), (1.2, "GX-21240", 10)]


def failed_id(parcel: str) -> UUID:
    return demo_id(960, f"session that could not track {parcel}")


async def has_none(tx: Tx) -> bool:
    return await store.find(tx, FIRST) is None


async def load(tx: Tx) -> None:
    for thought in _THOUGHTS:
        await _react(tx, thought)
    await _import_scores(tx)
    for place, (who, days, tool, text) in enumerate(_OBSERVED):
        await _observe(tx, place, who, days, tool, text)
    for days, parcel, seconds in _FAILED:
        await _fail(tx, days, parcel, seconds)
    await _flag(tx)
    await moments.set_to(tx, None)


async def _ago(tx: Tx, days: float) -> datetime:
    """What comes next happened then."""
    at = now() - timedelta(days=days)
    await moments.set_to(tx, at)
    return at


async def _react(tx: Tx, thought: Thought) -> None:
    where = TurnPlace(SUPPORT, thought.conversation, thought.turn)
    async with acting(tx, thought.who) as member:
        is_there = await turns.find_turn_user(tx, *where) is not None
        if member.actor.id is None or not is_there:
            return  # a visitor has removed one or the other
        at = await _ago(member, thought.days)
        who = Reactor(str(member.actor.id), is_member=True)
        await reactions.react(member, where, who, thought.reaction, thought.text, at)


async def _import_scores(tx: Tx) -> None:
    await moments.set_to(tx, None)
    importing = Import(access_kind("langfuse"), {}, neutral_rest=False, dry_run=False)
    rows = [Row(place, _score(place, *score)) for place, score in enumerate(_SCORES, 1)]
    for batch in importing.batches(iter(rows)):
        await importing.take(tx, batch)


def _score(place: int, user: str, days: float, value: int, comment: str) -> dict[str, Any]:
    return {
        "id": f"demo-score-{place}",
        "traceId": f"trace-{place}",
        "name": "helpful",
        "source": "ANNOTATION",
        "dataType": "BOOLEAN",
        "value": value,
        "comment": comment,
        "userId": user,
        "timestamp": (now() - timedelta(days=days)).isoformat(),
    }


async def _observe(tx: Tx, place: int, who: str, days: float, tool: str, text: str) -> None:
    async with acting(tx, who) as observer:
        await _ago(observer, days)
        new = NewFeedback(
            FeedbackSource.TOOL,
            Rating.NEGATIVE,
            text,
            context={"tool_slug": tool, "tool_run_id": f"run-{place + 1}"},
            id=FIRST if place == 0 else None,
        )
        await service.give(observer, new)


async def _fail(tx: Tx, days: float, parcel: str, seconds: int) -> None:
    async with acting(tx, "answer-bot") as agent:
        at = await _ago(agent, days)
        new = NewSession(
            agent="answer-bot",
            input={"message": f"Where is parcel {parcel}?"},
            type=SessionType.CHAT,
            id=failed_id(parcel),
            at=at,
        )
        session = await sessions.create(agent, new)
        reason = f"ReadTimeout: no answer from https://carrier.example/track/{parcel} in {seconds} s"
        error = SessionError(code="tool_failed", message=reason)
        await sessions.end(agent, session.id, SessionStatus.FAILED, None, error)


async def _flag(tx: Tx) -> None:
    async with acting(tx, "mara.lindqvist") as admin:
        if await session_store.find(tx, LONG_CHAT) is not None:
            await _ago(admin, 3.4)
            text = "It tried the carrier again by itself after the first error. That is how we want it."
            await service.give(
                admin,
                NewFeedback(FeedbackSource.OBSERVATION, Rating.POSITIVE, text, session_id=LONG_CHAT),
            )
        contract = contract_id("gannet-express")
        if await records.find(tx, contract) is not None:
            await _ago(admin, 2.1)
            text = "governing_law is taken from the old framework contract, not from this one"
            await service.give(
                admin,
                NewFeedback(FeedbackSource.OBSERVATION, Rating.NEGATIVE, text, entity_id=contract),
            )


async def play(db: Database, outside: Outside, tenant_id: UUID) -> None:
    """Put it into groups, as a worker does."""
    await grouping.place(db, system_actor(tenant_id, "demo"), "workspace", outside)


async def decide(tx: Tx) -> None:
    """What an administrator made of two of the groups."""
    found = (await groups.list_groups(tx, Wanted(), None, None, None, 50)).read(FeedbackGroup).data
    async with acting(tx, "mara.lindqvist") as admin:
        refund = _group(found, GroupKind.TOOL, _REFUND)
        if refund is not None:
            note = "Both are in the instructions since the last version"
            await groups.dismiss(admin, refund.id, DismissReason.COVERED, note)
        praise = next((group for group in found if group.rating is Rating.POSITIVE), None)
        if praise is not None:
            note = "Worth telling the team of the answer bot"
            await groups.review(admin, praise.id, FeedbackStatus.REVIEWED, note)


def _group(found: list[FeedbackGroup], kind: GroupKind, key: str) -> FeedbackGroup | None:
    return next((group for group in found if (group.kind, group.key) == (kind, key)), None)


PARTS = [Part(FEEDBACK, load, is_absent=has_none, play=play, after=decide)]
