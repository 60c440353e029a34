"""The files of phrases: each line is a phrase of a cue that there is, written once."""

import re
from collections import Counter

import pytest

from goldloop.conversations.gate import cues

FILES = sorted(cues.PHRASES.glob("*.tsv"))


def test_there_is_a_file_per_language() -> None:
    assert {"ar", "de", "emoji", "en", "es", "fr", "hi", "ja", "ko", "ru", "zh"} <= {
        file.stem for file in FILES
    }


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_file_has_a_head_and_two_columns(file: object) -> None:
    head, *rows = file.read_text(encoding="utf-8").splitlines()  # type: ignore[attr-defined]
    assert head == "cue\tphrase"
    assert rows
    assert [row for row in rows if len(row.split("\t")) != 2 or row != row.strip()] == []


def test_every_phrase_is_of_a_known_cue_and_written_once() -> None:
    phrases = cues.all_phrases()
    assert {phrase.cue for phrase in phrases} == {*cues.NAMES, *cues.CLASSES}
    assert [phrase for phrase, count in Counter(phrases).items() if count > 1] == []


def test_every_phrase_is_a_regular_expression_by_itself() -> None:
    for phrase in cues.all_phrases():
        re.compile(re.sub(r"\{(?:work|them)\}", "x", phrase.pattern))


def test_a_language_can_be_left_out() -> None:
    without_german = cues.compile_cues([p for p in cues.all_phrases() if p.language != "de"])
    assert not without_german["thanks"].search("vielen dank")
    assert cues.compile_cues(cues.all_phrases())["thanks"].search("vielen dank")


def test_a_cue_without_phrases_is_found_nowhere() -> None:
    assert not cues.compile_cues([])["praise"].search("perfect")
