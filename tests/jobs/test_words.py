"""Jobs and marks are called by words that people read."""

import pytest

import goldloop.concepts  # noqa: F401  registers jobs and marks
from goldloop.jobs.words import JOB_WORDS, MARK_WORDS, ROUTINE, JobWords, title_of_mark, words_of_job
from goldloop.kit.queue import JOBS, MARKS

# As they are registered; other tests add their own meanwhile.
JOB_NAMES = {name for name in JOBS if not name.startswith("test.")}
MARK_KINDS = {kind for kind in MARKS if not kind.startswith("test.")}


def test_every_kind_of_job_and_mark_has_words_and_no_words_are_left_over() -> None:
    assert JOB_WORDS.keys() == JOB_NAMES
    assert MARK_WORDS.keys() == MARK_KINDS


def test_words_are_said_once() -> None:
    titles = [words.title for words in JOB_WORDS.values()]
    assert len({*titles, *MARK_WORDS.values()}) == len(titles) + len(MARK_WORDS)
    assert all(words.advice.endswith(".") for words in JOB_WORDS.values())


def test_what_somebody_waits_for_is_not_routine() -> None:
    assert not {"sessions.run", "erasures.erase", "archives.write"} & {*ROUTINE}


@pytest.mark.parametrize(
    ("name", "title"),
    [("old.do_this", "Old: do this"), ("", ""), ("tenants.record_key_use", "Note when a key was used")],
)
def test_a_kind_that_is_gone_is_called_by_its_name(name: str, title: str) -> None:
    assert words_of_job(name).title == title


def test_a_kind_without_words_is_not_routine() -> None:
    assert words_of_job("old.kind") == JobWords("Old: kind", "Run it again.")
    assert title_of_mark("old.kind_of_mark") == "Old: kind of mark"
