"""The story of a turn: an agent talks to a person, the person reacts, and a report says how satisfied people are.

A shop's chat sends every turn of its conversations. Some people click, most just say it in their next message.
"""

from typing import Any

from goldloop.kit.outside import Outside
from tests.conversations.chats import make_chats
from tests.factories import Workspace
from tests.servers import eventually

QUESTION = {
    "user": {"text": "Find hotels in Lisbon for three nights"},
    "user_id": "ana",
    "agent": "concierge",
}
ANSWER = {"assistant": {"text": "Hotel Avenida, Hotel Tejo and Casa Alfama have rooms."}}

GROUPED: dict[str, Any] = {"by": "agent", "bucket": "week"}


async def test_a_click_and_a_complaint_become_figures_of_a_report(
    at_work: Workspace, outside: Outside
) -> None:
    # The chat's backend sends two turns as they happen. It sends one of them twice, which changes nothing.
    chats = await make_chats(at_work, outside)
    turn = {"turn_id": "t1", "ts": "2026-01-05T10:00:00Z", **QUESTION, **ANSWER}
    assert (await chats.add("lisbon", turn))["added"] == ["t1"]
    assert (await chats.add("lisbon", turn, expected=200))["existing"] == ["t1"]
    await chats.say("mail", "t1", ts="2026-01-05T11:00:00Z", user_id="ben", agent="concierge")

    # Ben clicks on the thumb that points up.
    made = await chats.react("mail", "t1", "ok", text="Just what I needed", ts="2026-01-05T11:01:00Z")
    assert made["outcome"] == "added"

    # Ana clicks on nothing. She says it, and the worker reads it from her message.
    complaint: Any = {
        "turn_id": "t2",
        "user": {"text": "Those Lisbon hotels don't exist, your answer is wrong."},
    }
    await chats.add("lisbon", {**complaint, "user_id": "ana", "ts": "2026-01-05T10:05:00Z"}, gate="true")

    async def reacted() -> list[Any]:
        turns = (await chats.feedbacks("lisbon"))["turns"]
        return [turn for turn in turns if turn["feedbacks"]]

    # The reaction is about the answer that she means, and says on which of her words it rests.
    (answered,) = await eventually(reacted)
    (feedback,) = answered["feedbacks"]
    assert answered["turn_id"] == "t1"
    assert (feedback["reaction"], feedback["origin"]) == ("not_ok", "machine")
    assert feedback["text"] == complaint["user"]["text"]

    # The report of the week has both conversations, the latest first, and how often people reacted in each.
    week = await chats.in_period("2026-01-05T00:00:00Z", "2026-01-12T00:00:00Z")
    assert [(each["conversation_id"], *_counts(each)) for each in week["items"]] == [
        ("mail", 1, 0, 1),
        ("lisbon", 0, 1, 1),
    ], "ok, not ok, in all"
    # Satisfaction by agent: one of two was content.
    report = await chats.get(
        "/api/conversations/satisfaction", start="2026-01-05T00:00:00Z", end="2026-01-12T00:00:00Z", **GROUPED
    )
    (overall,) = report["overall"]
    assert (overall["group"], overall["ok"], overall["not_ok"], overall["rate"]) == ("concierge", 1, 1, 0.5)
    assert 0 < overall["low"] < 0.5 < overall["high"] < 1, "of two people not much can be said"


def _counts(conversation: Any) -> tuple[int, int, int]:
    counts = conversation["feedback_counts"]
    return counts["ok"], counts["not_ok"], counts["total"]
