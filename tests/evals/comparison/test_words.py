"""Whether facts were said, and which words two messages share."""

import pytest

from goldloop.evals.comparison.words import keyword_overlap, keywords, missing_facts


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        ("1628", "It is $1,628.00."),
        ("1628", "1628"),
        ("1,628", "that makes 1628 dollars"),
        ("1628.00", "1,628"),
        ("44.08", "a refund of $44.08."),
        ("180.1", "180.10 USD"),
        ("1000000", "1,000,000"),
        ("10", "10, 20 and 30"),
        ("20", "10,20"),
        ("327", "$327; or more"),
        ("#W2378156", "Your order #w2378156 is here"),
        ("14 days", "within 14  days."),
        ("New York", "new\nyork"),
        ("10%", "10 percent"),
        ("10 percent", "(10%)"),
        ("Müller", "Frau MÜLLER"),
        ("first_name", "the field first_name is empty"),
        ("→", "a → b"),
        ("746342064230", "tracking 746342064230,"),
    ],
)
def test_said(fact: str, text: str) -> None:
    assert missing_facts([fact], ["Hello.", text]) == []


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        ("1628", "16285"),
        ("1628", "21628"),
        ("1628", "1628.50"),
        ("628", "1,628"),
        ("162", "1,628"),
        ("1", "1,628"),
        ("44.08", "44.080001"),
        ("44.08", "144.08"),
        ("10", "0.10"),
        ("10", "v10"),
        ("cat", "concatenate"),
        ("14 days", "14 work days"),
        ("14 days", "30 days"),
        ("10%", "10"),
        ("anything", ""),
    ],
)
def test_not_said(fact: str, text: str) -> None:
    assert missing_facts([fact], [text]) == [fact]


def test_a_fact_does_not_reach_from_one_message_into_the_next() -> None:
    assert missing_facts(["14 days"], ["14", "days"]) == ["14 days"]


def test_without_facts_nothing_is_missing_and_without_words_everything() -> None:
    assert missing_facts([], []) == []
    assert missing_facts(["a", "b"], []) == ["a", "b"]


@pytest.mark.parametrize(
    ("a", "b", "overlap"),
    [
        ("Refund sent to card", "The refund was sent to your card", 1.0),
        ("refund sent", "refund refused", 1 / 3),
        ("", "", 1.0),
        ("the and", "you", 1.0),
        ("refund", "", 0.0),
    ],
)
def test_keyword_overlap(a: str, b: str, overlap: float) -> None:
    assert keyword_overlap(a, b) == pytest.approx(overlap)


def test_keywords_are_words_that_say_something() -> None:
    assert keywords("Your order 7 is with HAT136!") == {"order", "7", "hat136"}
