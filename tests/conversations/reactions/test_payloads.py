"""The shapes of reactions."""

from datetime import UTC, datetime
from uuid import UUID

import msgspec
import pytest

from goldloop.conversations.reactions.payloads import printable, reaction_payload, resource_name, summary

TENANT, ID = UUID(int=1), UUID(int=0xABCDEF0123456789)
AT = datetime(2025, 11, 6, 17, 47, 2, 162904, tzinfo=UTC)


@pytest.mark.parametrize(
    ("project", "conversation", "turn", "name"),
    [
        ("P", "c", "turn_1", f"ef:{TENANT}:P:c:turn_1:artifact:artifact-2025-11-06T17-47-02-162904-ef0123456789"),
        ("P", "c:d", "t", f"ef:{TENANT}:P:c:d:t:artifact:artifact-2025-11-06T17-47-02-162904-ef0123456789"),
        ("P", "c", None, f"ef:{TENANT}:P:c:-:artifact:artifact-2025-11-06T17-47-02-162904-ef0123456789"),
    ],
)  # fmt: skip
def test_a_name_says_where_it_belongs_and_when_it_was_made(
    project: str, conversation: str, turn: str | None, name: str
) -> None:
    assert resource_name(TENANT, project, conversation, turn, ID, AT) == name


def test_a_payload_is_that_of_the_document() -> None:
    made = reaction_payload(rn="ef:…", conversation_id="c", turn_id="t", reaction="ok", text="Fine.", ts=AT)
    assert msgspec.to_builtins(made) == {
        "reaction": {
            "turn_id": "t",
            "text": "Fine.",
            "confidence": 1.0,
            "ts": "2025-11-06T17:47:02.162904Z",
            "reaction": "ok",
            "origin": "user",
        },
        "meta": {
            "rn": "ef:…",
            "turn_id": "t",
            "track_id": None,
            "user_type": "end_user",
            "kind": "turn.log.reaction",
        },
        "conversation_id": "c",
        "bundle_id": None,
    }


def test_what_a_machine_says_carries_why() -> None:
    made = reaction_payload(
        rn="r", conversation_id="c", turn_id="t", reaction="not_ok", text=None, ts=AT, origin="machine",
        confidence=0.8, gate={"detector": "embedded/1"},
    )  # fmt: skip
    assert msgspec.to_builtins(made)["gate"] == {"detector": "embedded/1"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (None, "[turn.log.reaction] ok by user, confidence 1.00, 2025-11-06T17:47:02.162904Z"),
        ("", "[turn.log.reaction] ok by user, confidence 1.00, 2025-11-06T17:47:02.162904Z"),
        ("Fine.", "[turn.log.reaction] ok by user, confidence 1.00, 2025-11-06T17:47:02.162904Z\nFine."),
    ],
)
def test_the_index_row_can_be_read_by_people(text: str | None, shown: str) -> None:
    made = reaction_payload(rn="r", conversation_id="c", turn_id="t", reaction="ok", text=text, ts=AT)
    assert printable(made.reaction) == shown


def test_a_long_comment_is_cut_in_the_index_only() -> None:
    made = reaction_payload(rn="r", conversation_id="c", turn_id="t", reaction="ok", text="x" * 9000, ts=AT)
    assert len(printable(made.reaction)) < 700
    assert len(summary(made).text or "") == 9000


def test_a_summary_names_its_reaction() -> None:
    summarized = summary(
        reaction_payload(rn="r", conversation_id="c", turn_id="t", reaction="ok", text=None, ts=AT)
    )
    assert (summarized.rn, summarized.turn_id, summarized.origin, summarized.confidence) == (
        "r",
        "t",
        "user",
        1.0,
    )
