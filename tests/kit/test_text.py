"""Which characters ids, names and JSON may hold."""

import json
import re
from typing import Any

import msgspec
import pytest

from goldloop.kit.text import (
    DEEPEST,
    PATH_ID_PATTERN,
    full_match,
    is_id,
    is_name,
    is_too_deep,
    may_hold_nul,
    nul_faults,
    on_one_line,
    slug_pattern,
)


@pytest.mark.parametrize(
    ("text", "an_id", "a_name"),
    [
        ("a", True, True),
        ("a b", True, True),
        ("7f:ü/日本 🙂", True, True),
        ("a\u00a0b", True, True),  # a space that does not break is inside
        ("", False, False),
        (" ", False, False),
        ("\u3000", False, False),  # nothing but a wide space
        (" a", False, True),
        ("a ", False, True),
        ("a\u00a0", False, True),
        ("a\n", False, False),
        ("\na", False, False),
        ("a\r\nb", False, False),
        ("a\tb", False, False),
        ("a\x00", False, False),
        ("a\x1b[31m", False, False),
        ("a\x7f", False, False),
        ("a\u0085b", False, False),
        ("a\u2028b", False, False),
        ("a\u2029", False, False),
        ("a\u202eb", False, False),  # turns what follows around
        ("a\u2066b", False, False),
        ("a\u200bb", False, True),
        ("a\u200db", False, True),  # joins emoji and letters
        ("a\ufeff", False, True),
        ("a\u00ad", False, True),
        ("a\u200e", False, True),
    ],
)
def test_an_id_is_seen_whole_and_a_name_is_one_line(text: str, an_id: bool, a_name: bool) -> None:
    assert (is_id(text), is_name(text)) == (an_id, a_name)


def test_an_id_in_an_address_is_one_part_of_it() -> None:
    assert re.search(PATH_ID_PATTERN, "a b")
    assert not re.search(PATH_ID_PATTERN, "a/b")


@pytest.mark.parametrize(
    ("text", "fits"), [("a", True), ("a-b_c", True), ("a" * 63, True), ("a" * 64, False), ("a\n", False), ("-a", False), ("", False)]
)  # fmt: skip
def test_a_slug_pattern_takes_the_whole_text(text: str, fits: bool) -> None:
    assert bool(re.search(slug_pattern(63), text)) is fits


def test_a_whole_pattern_takes_either_of_two_choices_whole() -> None:
    assert [bool(re.search(full_match("a|b"), text)) for text in ("a", "b", "ab", "xb", "b\n")] == [
        True, True, False, False, False,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", ""),
        ("ordinary ü 🙂", "ordinary ü 🙂"),
        ("a\nb\r", r"a\nb\r"),
        ("\x1b[31mred", r"\x1b[31mred"),
        ("\u0085\u2028\u202e\x9b", r"\x85\u2028\u202e\x9b"),
        ("\ud800", r"\ud800"),
    ],
)
def test_a_text_is_written_on_one_line(text: str, line: str) -> None:
    assert on_one_line(text) == line


@pytest.mark.parametrize(
    ("body", "too_deep"),
    [
        (b"", False),
        (b"1", False),
        (b"[" * DEEPEST + b"]" * DEEPEST, False),
        (b"[" * (DEEPEST + 1) + b"]" * (DEEPEST + 1), True),
        (b"[" + b"[]," * 1000 + b"[]]", False),  # wide is not deep
        (b'["' + b"[" * 500 + b'"]', False),  # brackets in a text are none
        (rb'["\"' + b"[" * 500 + b'"]', False),
        (rb'["\\",' * 101 + b"1" + b"]" * 101, True),  # the backslash is escaped, not the quote
        (rb'["\\\"]",' * 101 + b"1" + b"]" * 101, True),  # closing brackets in a text do not make up for it
        (b'{"a":' * 101 + b"1" + b"}" * 101, True),
        (b"[" * 98 + b"[]," * 1000 + b"[[]]" + b"]" * 98, False),
        (b"[" * 98 + b"[]," * 1000 + b"[[[]]]" + b"]" * 98, True),
        (b"[" * 50 + (b"{" * 50 + b"}" * 50) * 100 + b"]" * 50, False),
        (b"[" * 50 + (b"{" * 51 + b"}" * 51) * 100 + b"]" * 50, True),
        (b"[" + b"[]," * 1000 + (b"[" * 100 + b"]" * 100) + b"]", True),
        (b"]" * 1000 + b"[" * 1000, False),  # no JSON: the decoder says so
    ],
)
def test_nesting_is_seen_in_the_bytes(body: bytes, too_deep: bool) -> None:
    assert is_too_deep(body) is too_deep


@pytest.mark.parametrize(
    ("value", "places"),
    [
        ("", []),
        ("\x00", [""]),
        ({}, []),
        ([1, None, True, "a\x00"], ["/3"]),
        ({"a": {"b/c": ["\x00"]}}, ["/a/b~1c/0"]),
        ({"a\x00": 1}, ["/a\x00"]),
        ({"\x00": "\x00"}, ["/\x00", "/\x00"]),
        ("\\u0000", []),  # the six letters
    ],
)
def test_nul_characters_are_found_in_texts_and_keys(value: Any, places: list[str]) -> None:
    body = json.dumps(value).encode()
    assert [fault.path for fault in nul_faults(value)] == places
    assert may_hold_nul(body) or not places
    assert msgspec.json.decode(body) == value
