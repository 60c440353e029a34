"""What an answer was, and whether a reply contradicts it."""

import pytest

from goldloop.conversations.gate import cues, text
from goldloop.conversations.gate.features import describe, read_context


@pytest.mark.parametrize(
    ("said", "delivers", "instructs", "did", "asks"),
    [
        (None, False, False, False, False),
        ("Here's the letter.", True, False, False, False),
        ("Sure! Here are three names.", True, False, False, False),
        ("Voici la lettre.", True, False, False, False),
        ("Restart the router.", False, True, False, False),
        ("You should clear the cache.", False, True, False, False),
        ("I've changed the query.", False, False, True, False),
        ("The capital is Canberra.", False, False, False, False),
        ("Which one do you mean?", False, False, False, True),
    ],
)
def test_what_the_answer_was(
    said: str | None, delivers: bool, instructs: bool, did: bool, asks: bool
) -> None:
    context = read_context(said)
    assert (context.delivers, context.instructs, context.did, context.asks) == (
        delivers,
        instructs,
        did,
        asks,
    )


def contradictions(message: str, assistant: str) -> tuple[bool, ...]:
    """Another day, another name, another number, a rejected word of the answer."""
    found = describe(
        message, message=text.read(message), place=0, places=1, context=read_context(assistant), likeness=0.0
    )
    names = ("contradicts a day", "contradicts a name", "contradicts a number", "rejects a word")
    return tuple(bool(found[name]) for name in names)


def has(cue: str, sentence: str) -> bool:
    return dict(zip(cues.NAMES, cues.found_in(sentence), strict=True))[cue]


@pytest.mark.parametrize(
    ("message", "assistant", "found"),
    [
        ("It is on Thursday", "See you on Monday.", (True, True, False, False)),  # a day is a name too
        ("It is on Monday", "See you on Monday.", (False, False, False, False)),
        ("that was said by Churchill", "It was said by Roosevelt.", (False, True, False, False)),
        ("the train leaves at 9:40", "It leaves at 9:14.", (False, False, True, False)),
        ("they wanted red, not blue", "Here is the blue one.", (False, False, False, True)),
        ("Is it on Thursday?", "See you on Monday.", (False, False, False, False)),  # asks, states nothing
        ("It is on Thursday", "On Monday or on Tuesday?", (False, False, False, False)),  # answers a question
    ],
)
def test_a_statement_may_contradict_the_answer(message: str, assistant: str, found: tuple[bool, ...]) -> None:
    assert contradictions(message, assistant) == found


@pytest.mark.parametrize(
    ("cue", "sentence"),
    [
        ("challenge", "did you even read the log?"),
        ("challenge", "So where are the other chapters?"),
        ("challenge", "Warum ist das auf Englisch?"),
        ("good_outcome", "the page loads again"),
        ("good_outcome", "we're live"),
        ("good_outcome", "hat auf Anhieb geklappt"),
        ("bad_outcome", "now the app won't start"),
        ("bad_outcome", "I get a blank page"),
        ("judges_well", "very helpful, thank you"),
        ("judges_well", "great explanation"),
        ("judges_ill", "such a lazy answer"),
        ("judges_ill", "viel zu lang"),
    ],
)
def test_cues(cue: str, sentence: str) -> None:
    assert has(cue, sentence)


@pytest.mark.parametrize(
    ("cue", "sentence"),
    [
        ("challenge", "Write a poem about the sea"),
        ("good_outcome", "Restart the server"),
        ("bad_outcome", "Write a poem about the sea"),
        ("judges_well", "great, thanks"),
        ("judges_ill", "make it shorter"),
    ],
)
def test_what_is_no_such_cue(cue: str, sentence: str) -> None:
    assert not has(cue, sentence)
