"""Boundary rows of what counts as filled, citable and vague, and of how values are quoted."""

from typing import Any
from uuid import UUID

import pytest

from goldloop.artifact_evals.values import (
    PLACEHOLDERS,
    VAGUE,
    count_unspaced,
    describe_error,
    find_vague,
    identity,
    is_citable,
    is_filled,
    named,
    numbered,
    printable,
    shown,
)


@pytest.mark.parametrize(
    "value",
    [
        "x",
        "0",
        "-5",
        "+",
        "C++",
        "👍",
        "書",
        0,
        0.0,
        False,
        True,
        -1,
        ["a"],
        [[], "a"],
        {"a": 1},
        {"a": [1]},
        object(),
    ],
)
def test_filled(value: Any) -> None:
    assert is_filled(value)


@pytest.mark.parametrize(
    "value",
    [
        None,
        "",
        " \n",
        "TBD",
        " n/a ",
        "…",
        "TBD.",
        "(tbd)",
        "**TODO**",
        "____",
        "\u200b",
        "\u200b" * 100,
        "\ufeff TBD \u2060",
        ["\u200b \u200b \u200b \u200b"],
        float("nan"),
        float("inf"),
        [],
        {},
        (),
        [None],
        ["", "tbd"],
        [[]],
        {"a": None},
    ],
)
def test_not_filled(value: Any) -> None:
    assert not is_filled(value)


@pytest.mark.parametrize("word", sorted(PLACEHOLDERS))
def test_a_placeholder_is_neither_filled_nor_citable_in_any_case(word: str) -> None:
    assert not is_filled(word.upper())
    assert not is_citable(f" {word} ")


@pytest.mark.parametrize(
    ("source", "citable"),
    [
        ("doi:10.5555/1", True),
        ("NW-1", True),
        ("https://a.example", True),
        ("Smith et al., 2019", True),
        ("Smith et al.", False),
        ("common-knowledge", False),
        ("Wikipedia", False),
        ("internal.", False),
        ("(various)", False),
        ("trust\tme", False),
        ("trust\u00a0me", False),
        ("\u200b\u200b", False),
        ("دليل ٢٠١٨", True),
        ("", False),
        (None, False),
        (5, False),
        (["NW-1"], False),
    ],
)
def test_citable_is_what_can_be_looked_up(source: Any, citable: bool) -> None:
    assert is_citable(source) == citable


@pytest.mark.parametrize("phrase", VAGUE)
def test_every_vague_phrase_is_found_anywhere_in_a_text(phrase: str) -> None:
    assert find_vague(phrase.split()) == phrase
    assert find_vague(f"please {phrase} before noon".split()) == phrase
    assert find_vague(f"please do {phrase}.".split()) == phrase
    assert find_vague(f"please do ({phrase}) now".split()) == phrase
    assert find_vague(f"please do {phrase}, then stop".split()) == phrase


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ask for the nothingness",
        "as soon as it was needed",
        "the etcher is on",
        "keep the try token in the store",
        "as neededness goes",
        "look intolerable up",
        "a look or two into it",
    ],
)
def test_a_word_that_only_looks_vague_is_let_be(text: str) -> None:
    assert find_vague(text.split()) is None


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a  b\n", "“a b”"),
        ("x" * 100, f"“{'x' * 79}…”"),
        (None, "nothing"),
        (True, "true"),
        (1.5, "1.5"),
        (10**400, "a number"),
        ([1], "a list"),
        ({}, "an object"),
        (b"", "a bytes"),
        ("\x1b[31mred\x07", "“�[31mred�”"),
        ("half \ud800", "“half �”"),
        ("left\u202eright", "“left�right”"),
    ],
)
def test_a_value_is_quoted_shortly(value: Any, text: str) -> None:
    assert shown(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [("a", "a"), (UUID(int=1), str(UUID(int=1))), (5, "5"), (None, "nothing"), ([], "a list")],
)
def test_an_id_is_text(value: Any, text: str) -> None:
    assert identity(value) == text


def test_what_is_printed_steers_no_terminal_and_can_be_written() -> None:
    assert printable("plain “text”") == "plain “text”"
    assert printable("a\nb\x1b[2J\ud800") == "a�b�[2J�"


def test_an_error_is_told_also_when_it_cannot_tell_itself() -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    assert describe_error(KeyError("owner")) == "KeyError “'owner'”"
    assert describe_error(Mute()) == "Mute “which cannot be told”"


@pytest.mark.parametrize(
    ("text", "words"),
    [("", 0), ("Restart it now", 0), ("重新启动数据库服务器", 5), ("データベースを再起動する", 6)],
)
def test_words_are_counted_where_no_blanks_are_between_them(text: str, words: int) -> None:
    assert count_unspaced(text) == words


def test_lists_and_numbers_in_words() -> None:
    assert [named(fields) for fields in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "",
        "`a`",
        "`a` and `b`",
        "`a`, `b` and `c`",
    ]
    assert [numbered(count, "step") for count in (0, 1, 2)] == ["0 steps", "1 step", "2 steps"]
