"""Knowledge of the demo workspace, of every type and in every state: what an administrator wrote down, what groups of feedback
propose, what was approved of it and lost support again, and a session that had it in its prompt and cites it.
"""

from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID, uuid5

from goldloop.entities.types import store as types
from goldloop.feedback.demo import FIRST as ABOUT_SEARCH
from goldloop.feedback.entries import review_service as reviews
from goldloop.feedback.entries import service as feedback
from goldloop.feedback.entries import store as feedback_store
from goldloop.feedback.entries.service import NewFeedback
from goldloop.feedback.groups import service as groups
from goldloop.feedback.groups.store import Wanted
from goldloop.feedback.model import FeedbackGroup, FeedbackSource, FeedbackStatus, GroupState, Rating
from goldloop.kit import moments
from goldloop.kit.clock import now
from goldloop.kit.db import Tx
from goldloop.knowledge.model import KnowledgeState, KnowledgeType
from goldloop.knowledge.printing import name_of
from goldloop.knowledge.prompts import service as prompts
from goldloop.knowledge.prompts import use_service
from goldloop.knowledge.proposals import service as proposals
from goldloop.knowledge.rows import service, store
from goldloop.knowledge.rows.service import NewKnowledge
from goldloop.knowledge.selection import Scope
from goldloop.sessions import service as sessions
from goldloop.sessions.beginning import NewSession
from goldloop.sessions.model import SessionStatus, SessionType
from goldloop.sessions.store import NewEvent
from goldloop.tenants.agents import store as agents
from goldloop.tenants.demo import Part, acting, demo_id

KNOWLEDGE = "knowledge"  # the flow
FIRST = demo_id(970, "knowledge that answers are in the customer's language")
CITING = demo_id(975, "session that cites knowledge")
_ADMIN = "mara.lindqvist"
_DELIVERY = "updateDelivery"


class Rule(NamedTuple):
    """What an administrator wrote down, `days` ago. `agent` and `entity_type` are slugs."""

    days: float
    type: KnowledgeType
    content: str
    context: str | None = None
    agent: str | None = None
    entity_type: str | None = None
    pinned: bool = False


_LANGUAGE = Rule(
    40.0,
    KnowledgeType.GUIDELINE,
    "Answer in the language that the customer writes in, and keep the names of products in English",
    pinned=True,
)
_BILLING = Rule(
    33.0,
    KnowledgeType.ROUTING,
    "Send questions about invoices and refunds to the team Billing",
    agent="triage",
)
_LAW = Rule(
    2.0,
    KnowledgeType.CORRECTION,
    "Take `governing_law` from the contract itself, never from an older framework contract",
    context="when filling in `governing_law`",
    entity_type="contract",
)
_VOUCHER = Rule(36.0, KnowledgeType.GUIDELINE, "Offer a voucher of 5 EUR for every parcel that is late")
_TRIAL = Rule(
    6.0,
    KnowledgeType.INSIGHT,
    "Customers who ask about a protection plan want its price in the first sentence",
    agent="answer-bot",
)
# What two colleagues say about a tool: who, how many days ago, and the observation.
_OBSERVED = [
    ("noor.haddad", 15.2, "The carrier took the new door code only after the second try"),
    ("jonas.weber", 14.9, "A new door code reached the carrier only when it was sent a second time"),
]
_SEARCHING = "Search in the language of the ticket, and name the product in the query"
_TWICE = "Send a changed door code again when the carrier does not confirm it"


def row_id(rule: Rule) -> UUID:
    return FIRST if rule is _LANGUAGE else uuid5(FIRST, rule.content)


def observed_id(who: str) -> UUID:
    return demo_id(972, f"feedback of {who} about {_DELIVERY}")


async def has_none(tx: Tx) -> bool:
    return await store.find(tx, FIRST) is None


async def _ago(tx: Tx, days: float) -> datetime:
    """What comes next happened then."""
    at = now() - timedelta(days=days)
    await moments.set_to(tx, at)
    return at


async def load(tx: Tx) -> None:
    for rule in (_LANGUAGE, _VOUCHER, _BILLING, _TRIAL, _LAW):
        await _write(tx, rule)
    async with acting(tx, _ADMIN) as admin:
        await _ago(admin, 12.0)
        await service.retire(admin, row_id(_VOUCHER), "The campaign ended")
        await _ago(admin, 5.5)
        await service.shadow(admin, row_id(_TRIAL), "To be tried out before it is in prompts")
    for place, (who, days, text) in enumerate(_OBSERVED):
        async with acting(tx, who) as observer:
            await _ago(observer, days)
            context = {"tool_slug": _DELIVERY, "tool_run_id": f"delivery-{place + 1}"}
            await feedback.give(
                observer,
                NewFeedback(FeedbackSource.TOOL, Rating.NEGATIVE, text, context=context, id=observed_id(who)),
            )
    await moments.set_to(tx, None)


async def _write(tx: Tx, rule: Rule) -> None:
    agent = await agents.find_by_slug(tx, rule.agent) if rule.agent else None
    entity_type = await types.find(tx, rule.entity_type) if rule.entity_type else None
    if (rule.agent and agent is None) or (rule.entity_type and entity_type is None):
        return  # a visitor has removed it
    async with acting(tx, _ADMIN) as admin:
        await _ago(admin, rule.days)
        new = NewKnowledge(
            type=rule.type,
            content=rule.content,
            context=rule.context,
            agent_id=agent.id if agent else None,
            entity_type_id=entity_type.id if entity_type else None,
            id=row_id(rule),
        )
        row = await service.create(admin, new)
        if rule.pinned:
            await service.change(admin, row.id, None, {"pinned": True}, "For every answer")


async def decide(tx: Tx) -> None:
    """What groups of feedback propose, and what an administrator made of two of the proposals."""
    await _ago(tx, 4.5)
    wanted = Wanted(state=GroupState.OPEN, proposed=True, rating=Rating.NEGATIVE)
    for group in (await groups.list_groups(tx, wanted, None, None, None, 50)).read(FeedbackGroup).data:
        await proposals.propose(tx, group.id)
    mistaken = observed_id(_OBSERVED[1][0])
    async with acting(tx, _ADMIN) as admin:
        await _approve(admin, ABOUT_SEARCH, 4.2, _SEARCHING)
        await _approve(admin, mistaken, 4.1, _TWICE)
    await _record(tx, 1.5)
    async with acting(tx, _ADMIN) as admin:
        if await feedback_store.find(admin, mistaken) is not None:
            await _ago(admin, 0.9)
            await reviews.reopen_many(admin, [mistaken])
            await reviews.review_many(
                admin, [mistaken], FeedbackStatus.DISMISSED, "It was a test order of ours"
            )
    await moments.set_to(tx, None)


async def _approve(admin: Tx, feedback_id: UUID, days: float, content: str) -> None:
    """What the group of some feedback proposes, in other words."""
    found = await feedback_store.find(admin, feedback_id)
    rows = await store.find_of_group(admin, found.group_id) if found and found.group_id else []
    for row in rows:
        if row.state is KnowledgeState.PROPOSED:
            await _ago(admin, days)
            await service.approve(admin, row.id, "They all say the same", content)


async def _record(tx: Tx, days: float) -> None:
    """A session that ran elsewhere, with the prompt that there was."""
    agent = await agents.find_by_slug(tx, "answer-bot")
    at = await _ago(tx, days)
    prompt = await prompts.load_shared_context_prompt(tx, Scope(agent.id if agent else None))
    cited = next((row for row in prompt.rows if row.content == _SEARCHING), None)
    async with acting(tx, "answer-bot") as bot:
        asked = "Gäller garantin för min kaffebryggare?"
        answer = "Ja, garantin gäller i två år från köpet. Spara kvittot."
        named = f" [{name_of(cited.id)}]" if cited else ""
        new = NewSession(
            agent="answer-bot",
            input={"message": asked},
            type=SessionType.CHAT,
            id=CITING,
            at=at,
            manifest=prompt.manifest,
        )
        await sessions.create(bot, new)
        messages = [("user.message", asked), ("agent.message", answer + named)]
        await sessions.record(
            bot,
            CITING,
            [
                NewEvent(uuid5(CITING, kind), kind, at + timedelta(seconds=4 * place), {"text": text})
                for place, (kind, text) in enumerate(messages)
            ],
        )
        await _ago(bot, days - 0.001)
        await sessions.end(bot, CITING, SessionStatus.COMPLETED, answer, at=at + timedelta(seconds=90))
    await use_service.take_in_citations(tx, CITING)


PARTS = [Part(KNOWLEDGE, load, is_absent=has_none, after=decide)]
