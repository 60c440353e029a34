"""What groups of feedback propose, and how proposals follow them."""

from typing import Any
from uuid import UUID

from goldloop.feedback.model import FeedbackSource
from goldloop.knowledge.proposals.extract import Member, extract


def _rejection(number: int, **more: Any) -> Member:
    note = "This is not what the register says"
    given = {"field": "contact", "rejected": "none", "accepted": "none yet"} | more
    return Member(UUID(int=number), FeedbackSource.EXTRACTION, note, **given)


def test_values_of_fields_are_masked_as_notes_are() -> None:
    account = "DE89 3704 0044 0532 0130 00"
    found = extract([_rejection(1, rejected="ann@example.com", accepted=f"Ann Lee, {account}")], ["Ann Lee"])
    assert found is not None
    assert found.content.endswith("(`contact` <email> → <name>, <account> in 1 of 1)")


def test_part_of_an_address_that_was_cut_is_masked_as_well() -> None:
    found = extract([_rejection(1, rejected="x" * 50 + " somebody@example.com")])
    assert found is not None
    assert "somebody" not in found.content


def test_values_without_anything_private_are_quoted_as_they_are() -> None:
    found = extract([_rejection(1, field="valuation", rejected="12", accepted="12,000,000")])
    assert found is not None
    assert found.content.endswith("(`valuation` 12 → 12,000,000 in 1 of 1)")
