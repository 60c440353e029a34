"""Conversations of the demo workspace: customers and developers with two agents, over some weeks, with what they thought."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import NamedTuple

from goldloop.conversations.gate.embedded import NAME
from goldloop.conversations.gate.model import Detection, Reaction
from goldloop.conversations.reactions import service as reactions
from goldloop.conversations.reactions.model import Reactor, TurnPlace
from goldloop.conversations.reactions.targeting import Decision, Scored, Target
from goldloop.conversations.transcripts import store
from goldloop.conversations.turns import service as turns
from goldloop.conversations.turns.content import NewMessage, NewTurn
from goldloop.kit import moments
from goldloop.kit.clock import now
from goldloop.kit.db import Tx
from goldloop.kit.pagination import LAST_TIME
from goldloop.tenants.demo import Part, acting

SUPPORT, CODING = "Support", "Coding"


class Chat(NamedTuple):
    """`days` ago it began. `exchanges` are pairs of messages of the user and the agent; `thumbs` go by place, with a comment."""

    id: str
    project: str
    user: str
    agent: str
    days: int
    exchanges: list[tuple[str, str]]
    thumbs: Mapping[int, tuple[Reaction, str | None]] = MappingProxyType({})


CHATS = [
    Chat("order-48121", SUPPORT, "cust-mina", "answer-bot", 52, [
        ("Where is my order 48121? It was due on Monday.", "Order 48121 left our warehouse on Friday. The carrier expects it on Wednesday."),
        ("Can I have it sent to my office instead?", "Yes. I have asked the carrier to deliver to the office address on your account."),
    ], {0: ("ok", None), 1: ("ok", "That was quick.")}),
    Chat("refund-3310", SUPPORT, "cust-jorge", "answer-bot", 47, [
        ("How long do I have to return the headphones?", "You can return them within 14 days of delivery."),
        ("Your website says 30 days.", "You are right, and I am sorry: it is 30 days for audio products."),
        ("And who pays for the return?", "We do. I have sent a prepaid label to your address."),
    ], {0: ("not_ok", "Wrong number of days"), 2: ("ok", None)}),
    Chat("invoice-vat", SUPPORT, "cust-odile", "answer-bot", 41, [
        ("I need an invoice with our VAT number.", "I have added FR 40 303 265 045 to the invoice; a new copy is in your inbox."),
    ], {0: ("ok", None)}),
    Chat("login-loop", SUPPORT, "cust-sam", "answer-bot", 33, [
        ("The app logs me out every few minutes.", "Please clear the app's cache under Settings, Storage, and sign in again."),
        ("I did that twice already, still the same.", "Then it is likely the old session cookie: sign out on all devices under Account, Security."),
        ("That did it, it stays signed in now!", "Glad to hear it. Is there anything else?"),
    ], {0: ("not_ok", None)}),
    Chat("csv-import", CODING, "dev-ines", "coder", 29, [
        ("Write a Python function that reads a CSV with a semicolon delimiter.", "Like this:\n\n```python\ndef read_rows(path):\n    with open(path, newline='') as file:\n        return list(csv.DictReader(file, delimiter=';'))\n```\n\n| argument | meaning |\n|---|---|\n| `newline=''` | the reader finds line ends itself |\n| `delimiter` | a semicolon, as in your files |\n\nMore in the [documentation](https://docs.python.org/3/library/csv.html)."),
        ("It should skip empty lines.", "Then leave out rows without a value:\n\n```python\nreturn [row for row in csv.DictReader(file, delimiter=';') if any(row.values())]\n```"),
    ], {0: ("ok", None), 1: ("ok", "Works")}),
    Chat("flaky-test", CODING, "dev-paul", "coder", 24, [
        ("test_checkout fails one time in ten. Why?", "It waits a fixed 100 ms for the worker. Poll until the order is paid instead."),
        ("Show me.", "```python\nawait eventually(lambda: order.is_paid(), seconds=5)\n```"),
        ("No failures in 500 runs, nice work.", "Good. I would look for other fixed sleeps in that folder next."),
    ], {1: ("ok", None)}),
    Chat("sql-report", CODING, "dev-ines", "coder", 18, [
        ("A query for orders per customer, please.", "SELECT customer_id, count(*) FROM orders GROUP BY customer_id"),
        ("And one for refunds per week.", "SELECT date_trunc('week', refunded_at), sum(amount) FROM refunds GROUP BY 1"),
        ("One for new users per week as well.", "SELECT date_trunc('week', created_at), count(*) FROM users GROUP BY 1"),
        ("The query by week is wrong, our weeks start on Sunday.", "I can shift the weeks by a day. Which of them do you mean?"),
    ]),
    Chat("price-match", SUPPORT, "cust-lee", "answer-bot", 12, [
        ("Do you match prices of other shops?", "We match prices of shops in your country within 14 days of purchase."),
    ], {0: ("neutral", "Did not say how to ask for it")}),
    Chat("broken-mug", SUPPORT, "cust-mina", "answer-bot", 8, [
        ("One of the mugs arrived broken.", "I am sorry. A new one is on its way; there is no need to send the broken one back."),
        ("Perfect, exactly what I hoped for.", "Happy to help."),
    ], {0: ("ok", None)}),
    Chat("date-parse", CODING, "dev-paul", "coder", 5, [
        ("parse_date('31.12.2025') raises ValueError.", "Use datetime.strptime(text, '%m.%d.%Y')."),
        ("That swaps day and month, it still fails.", "Right: '%d.%m.%Y'. The day comes first."),
    ], {0: ("not_ok", "Day and month are swapped"), 1: ("ok", None)}),
    Chat("warranty", SUPPORT, "cust-jorge", "answer-bot", 1, [
        ("Is water damage covered by the warranty?", "No, but the protection plan on your account covers it once a year."),
    ], {0: ("ok", None)}),
]  # fmt: skip

# What members of the workspace thought when they read along: no customers, so it is not part of their satisfaction.
READ_ALONG: list[tuple[str, str, int, Reaction, str]] = [
    ("priya.raman", "warranty", 0, "not_ok", "Does not say what the protection plan costs"),
    ("tomas.okafor", "flaky-test", 1, "ok", "Worth a line in our guide to tests"),
]

# What the gate read: conversation, the turn of the message, the turn meant (None: a person has to say), how and how sure.
READ: list[tuple[str, int, int | None, Reaction, float]] = [
    ("refund-3310", 1, 0, "not_ok", 0.91),
    ("login-loop", 1, 0, "not_ok", 0.95),
    ("login-loop", 2, 1, "ok", 0.97),
    ("flaky-test", 2, 1, "ok", 0.93),
    ("broken-mug", 1, 0, "ok", 0.96),
    ("date-parse", 1, 0, "not_ok", 0.89),
    ("sql-report", 3, None, "not_ok", 0.86),
]


async def has_none(tx: Tx) -> bool:
    return not await store.list_newest_first(tx, store.ListFilter(), (LAST_TIME, "", ""), 1)


async def load(tx: Tx) -> None:
    today = now()
    async with acting(tx, "answer-bot") as agent:
        for chat in CHATS:
            await _load_chat(agent, chat, today - timedelta(days=chat.days))
    for name, conversation_id, place, reaction, text in READ_ALONG:
        chat = _chat(conversation_id)
        async with acting(tx, name) as member:
            where = TurnPlace(chat.project, chat.id, _turn_id(place))
            if member.actor.id is None:
                continue  # a visitor has removed them
            who = Reactor(str(member.actor.id), is_member=True)
            at = today - timedelta(days=chat.days) + timedelta(minutes=3 * place + 40)
            await moments.set_to(member, at)
            await reactions.react(member, where, who, reaction, text, at)
    for conversation_id, source, meant, reaction, confidence in READ:
        chat = _chat(conversation_id)
        await _read(tx, chat, source, meant, reaction, confidence)
    await moments.set_to(tx, None)


def _chat(conversation_id: str) -> Chat:
    return next(chat for chat in CHATS if chat.id == conversation_id)


async def _load_chat(tx: Tx, chat: Chat, began: datetime) -> None:
    made = [
        NewTurn(
            turn_id=_turn_id(place),
            user=NewMessage(text=asked),
            assistant=NewMessage(text=answered),
            user_id=chat.user,
            agent=chat.agent,
            ts=began + timedelta(minutes=3 * place),
            track_id="A",
            turn_log={"model": "demo", "steps": [{"tool": "search", "found": 3}, {"tool": "answer"}]},
        )
        for place, (asked, answered) in enumerate(chat.exchanges)
    ]
    await moments.set_to(tx, made[-1].ts)
    await turns.add(tx, chat.project, chat.id, made, gate=False)
    for place, (reaction, text) in chat.thumbs.items():
        where = TurnPlace(chat.project, chat.id, _turn_id(place))
        at = began + timedelta(minutes=3 * place + 1)
        await moments.set_to(tx, at)
        await reactions.react(tx, where, Reactor(chat.user), reaction, text, at)


async def _read(
    tx: Tx, chat: Chat, source: int, meant: int | None, reaction: Reaction, confidence: float
) -> None:
    context = await reactions.find_message(tx, chat.project, chat.id, _turn_id(source))
    assert context is not None
    found = Detection(reaction=reaction, confidence=confidence, evidence=context.message, detector=NAME)
    decision: Decision = "undecided" if meant is None else "clear"
    target = Target(
        turn_id=None if meant is None else _turn_id(meant),
        conversation_id=None if meant is None else chat.id,
        decision=decision,
        candidates=[_scored(chat, place, source, meant) for place in reversed(range(source))],
    )
    await moments.set_to(tx, context.ts)
    await reactions.add_machine_reaction(tx, context, found, target)


def _scored(chat: Chat, place: int, source: int, meant: int | None) -> Scored:
    recency = place / (source - 1) if source > 1 else 1.0
    similarity = 0.62 if place == meant else 0.55 - 0.15 * recency if meant is None else 0.21
    return Scored(
        turn_id=_turn_id(place),
        conversation_id=chat.id,
        similarity=round(similarity, 4),
        recency=round(recency, 4),
        score=round(0.85 * similarity + 0.15 * recency, 4),
    )


def _turn_id(place: int) -> str:
    return f"turn_{place + 1}"


PARTS = [Part("conversations", load, is_absent=has_none)]
