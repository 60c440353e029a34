"""A session of the demo workspace that ran elsewhere: a long chat with tools, as the chat's own program recorded it."""

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid5

from goldloop.kit import moments
from goldloop.kit.clock import now
from goldloop.kit.db import Tx
from goldloop.sessions import service, store
from goldloop.sessions.beginning import NewSession
from goldloop.sessions.model import ConversationRef, SessionStatus, SessionType
from goldloop.sessions.store import NewEvent
from goldloop.tenants.demo import Part, acting, demo_id

SESSIONS = "sessions"  # the flow
LONG_CHAT = demo_id(900, "session of the chat about a late parcel")
_MODEL = "claude-sonnet-5"
# Who says what, and which tools are called in between: (tool, arguments, result or error).
_CHAT: list[tuple[str, list[tuple[str, dict[str, Any], Any]], str]] = [
    (
        "My parcel 48655 was due on Tuesday. Where is it?",
        [
            ("findOrder", {"order": "48655"}, {"status": "shipped", "carrier": "Gannet Express", "tracking": "GX-20931"}),
            ("trackParcel", {"tracking": "GX-20931"}, {"last_scan": "Malmö hub", "at": "2026-11-09T18:20:00Z", "state": "held"}),
        ],
        "Your parcel is held at the **Malmö hub** of Gannet Express since Monday evening. I am looking into why.",
    ),
    (
        "Held? Why?",
        [
            ("trackParcel", {"tracking": "GX-20931", "detail": True}, {"reason": "address incomplete", "missing": ["door code"]}),
        ],
        "The carrier says that the **door code is missing**. If you tell me the code, I send it on.",
    ),
    (
        "It is 4417.",
        [
            ("updateDelivery", {"tracking": "GX-20931", "door_code": "4417"}, "The carrier's service did not answer in 10 s"),
            ("updateDelivery", {"tracking": "GX-20931", "door_code": "4417"}, {"accepted": True, "new_date": "2026-11-12"}),
        ],
        "Done. The carrier now plans to deliver on **Thursday, 12 November**.",
    ),
    (
        "Can I get the express fee back? I paid for two days.",
        [
            ("searchKnowledge", {"query": "refund express fee late"}, {"found": [{"id": "KB-118", "text": "Express fees are refunded when a delivery is more than one day late."}]}),
            ("findOrder", {"order": "48655", "fields": ["fees"]}, {"fees": {"express": 9.9, "currency": "EUR"}}),
            ("refund", {"order": "48655", "fee": "express", "amount": 9.9}, {"refund": "RF-7702", "days": 3}),
        ],
        "Yes. I have refunded the express fee of **€9.90** (RF-7702); it arrives within three days.",
    ),
    ("Thank you, that was quick.", [], "Gladly. You get a message when the parcel is on its way."),
]  # fmt: skip
_FAILS = "The carrier's service did not answer in 10 s"


async def has_none(tx: Tx) -> bool:
    return await store.find(tx, LONG_CHAT) is None


async def load(tx: Tx) -> None:
    began = now() - timedelta(days=4, hours=2)
    await moments.set_to(tx, began)
    async with acting(tx, "answer-bot") as agent:
        new = NewSession(
            agent="answer-bot",
            input={"message": _CHAT[0][0]},
            type=SessionType.CHAT,
            id=LONG_CHAT,
            conversation=ConversationRef(project="Support", id="parcel-48655"),
            metadata={"user_id": "cust-lena"},
            at=began,
        )
        session = await service.create(agent, new)
        await service.record(agent, session.id, _events(began))
        ended = began + timedelta(minutes=12)
        await moments.set_to(tx, ended)
        await service.end(agent, session.id, SessionStatus.COMPLETED, _CHAT[-1][2], at=ended)
    await moments.set_to(tx, None)


def _events(began: datetime) -> list[NewEvent]:
    made: list[NewEvent] = []
    at = began

    def add(kind: str, seconds: float, **payload: Any) -> None:
        nonlocal at
        at += timedelta(seconds=seconds)
        made.append(NewEvent(uuid5(LONG_CHAT, str(len(made))), kind, at, payload))

    def request(history: int) -> None:
        add(
            "model.request",
            0.2,
            model=_MODEL,
            input_tokens=900 + history,
            output_tokens=60,
            cost=0.0037,
            duration_ms=1000,
        )

    for place, (asked, calls, answered) in enumerate(_CHAT):
        add("user.message", 40, text=asked)
        for number, (tool, arguments, result) in enumerate(calls):
            request(400 * place + 150 * number)
            call_id = f"call_{place}_{number}"
            add("tool.call", 1.1, id=call_id, name=tool, arguments=arguments)
            outcome = {"error": result} if result == _FAILS else {"result": result}
            add("tool.result", 10 if result == _FAILS else 0.6, id=call_id, **outcome)
        request(400 * place + 150 * len(calls))
        add("agent.message", 1.4, text=answered)
    return made


PARTS = [Part(SESSIONS, load, is_absent=has_none)]
