"""What of a message is the user's own word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldloop.conversations.gate.text import (
    MAX_CHARS,
    MAX_SENTENCES,
    QUOTE_MARK,
    read,
    shorten,
    split_sentences,
)


@pytest.mark.parametrize(
    ("message", "own"),
    [
        ("", ""),
        ("  \n ", ""),
        ("That is wrong.", "That is wrong."),
        ('Translate: "That is wrong."', "Translate: …"),
        ("Translate to German: this is useless", "Translate to German: …"),
        ("My tenant wrote: 'nothing works'. What now?", "My tenant wrote: … What now?"),
        ("> this is broken\n> still broken\nWhich commit?", "Which commit?"),
        ("```\nERROR wrong\n```\nWhen did it start?", "… When did it start?"),
        ("```\nnever closed, all wrong", "…"),
        ("<review>awful</review> Which product?", "… Which product?"),
        ("<a>one</b> <a>two</a> <c> three</a>", "… <c> three</a>"),
        ("<a>one <b>two</a> three</b> four", "… three</b> four"),
        ("Hi, see below.\nDear Anna,\nit is wrong.\nBest, Bo\nIs it polite?", "… Is it polite?"),
        ("Best, Bo\nDear Anna,", "Best, Bo Dear Anna,"),
        ("Anna: you are wrong\nBob: sorry\nWho is right?", "Who is right?"),
        ("From: Dana\nSubject: wrong quote\nDraft an answer.", "Draft an answer."),
        ("Reviews:\n- bad\n- good\nHow many?", "Reviews: … How many?"),
        ("「使えない」を英語に訳して", "… を英語に訳して"),
        ("Le client dit « c'est nul ». Que faire ?", "Le client dit … . Que faire ?"),
        ("it's John's mistake, isn't it", "it's John's mistake, isn't it"),  # apostrophes are not quotes
        ("I said: two separate invoices", "I said: two separate invoices"),  # the user's own words
    ],
)
def test_foreign_text_is_taken_out(message: str, own: str) -> None:
    assert read(message).own == own


def test_the_assistants_own_words_are_taken_out() -> None:
    said = "Careful: the old approach is wrong because it blocks the loop."
    found = read("the old approach is wrong because it blocks: why?", said)
    assert found.own == f"{QUOTE_MARK}: why?"
    assert found.echo


def test_a_few_shared_words_are_no_quotation() -> None:
    assert not read("the old approach is better", "The old approach is wrong because it blocks.").echo


def test_a_message_that_only_repeats_the_assistant_is_still_read() -> None:
    assert read("the meeting is on Thursday at ten", "The meeting is on Thursday at ten.").own


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("", ()),
        ("...", ()),
        ("One. Two! Three?", ("One.", "Two!", "Three?")),
        ("version 2.4.1 fails", ("version 2.4.1 fails",)),
        ("不对。请再试一次。", ("不对。", "请再试一次。")),
        ("line one\nline two", ("line one", "line two")),
        ("👍", ("👍",)),
    ],
)
def test_sentences(text: str, sentences: tuple[str, ...]) -> None:
    assert split_sentences(text) == sentences


def test_of_very_many_sentences_the_first_and_the_last_are_read() -> None:
    found = split_sentences(" ".join(f"Sentence {i}." for i in range(100)))
    assert (len(found), found[0], found[-1]) == (MAX_SENTENCES, "Sentence 0.", "Sentence 99.")


def test_a_long_text_keeps_its_beginning_and_its_end() -> None:
    found = shorten("a" * 10 + "b" * 100 + "c" * 10, 20)
    assert found == "a" * 10 + "\n" + "c" * 10


@given(st.text(), st.text())
def test_any_text_can_be_read(message: str, assistant: str) -> None:
    found = read(message, assistant)
    assert all(sentence.strip() for sentence in found.sentences)


@pytest.mark.parametrize(
    "piece",
    [
        "hi" + "," * 58 + "\n",
        "Dear a, best\n",
        "<a>",
        "<a></b>",
        "“",
        "„",
        " ‘a",
        "- a",
        "translate ",
        "from \n",
        "<",
        "```",
        ".)",
    ],
)
def test_no_text_is_too_much_to_read(piece: str) -> None:
    """Patterns that go back and forth would not end on one of these. `make bench` measures what they cost."""
    assert len(read(piece * (MAX_CHARS // len(piece))).sentences) <= MAX_SENTENCES
