"""Masks, languages, origins, keys, thresholds and titles, as tables of cases."""

from typing import Any

import pytest

from goldloop.feedback.groups.keys import About, keys_of
from goldloop.feedback.groups.languages import content_words, language_of
from goldloop.feedback.groups.masks import exception_class, is_same_reason, masked, reason_tokens
from goldloop.feedback.groups.origins import Origin, count_origins
from goldloop.feedback.groups.phrases import title
from goldloop.feedback.groups.thresholds import BOUNDS, PROPOSED, Label, group_at, refit
from goldloop.feedback.groups.wording import can_be_compared, chunks, own_words
from goldloop.feedback.model import FeedbackSource, GroupKind, Rating


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("GET https://api.test/v1/x?y=1 failed", "GET <url> failed"),
        ("no user ada@example.org", "no user <email>"),
        ("run 0190c7f2-8f3b-7c2e-9d39-1f1de3a2b4c5 ended", "run <uuid> ended"),
        ("KeyError: 'total'", "KeyError: <text>"),
        ("can't find it, don't ask", "can't find it, don't ask"),
        ("open /var/lib/goldloop/x.json", "open <path>"),
        ("connect 10.0.0.7:5432 refused", "connect <ip> refused"),
        ("at 0xdeadBEEF", "at <hex>"),
        ("commit 9f86d081884c7d65", "commit <hex>"),
        ("took 12.5 of 30 seconds", "took <number> of <number> seconds"),
        ("worker3 lost row_17", "<name> lost <name>"),
        ("a  b\n c", "a b c"),
        ("cafe deadbeef", "cafe deadbeef"),
    ],
)
def test_masks(text: str, expected: str) -> None:
    assert masked(text) == expected


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Timeout after 30 s at https://a.test", "Timeout after 45 s at https://b.test/x", True),
        ("The tool search returned no rows", "The tool lookup returned no rows", True),
        ("The tool search returned no rows", "The model gave up long ago", False),
        ("No rows", "No rows at all", False),
        ("a b c d e f g h i j", "a b c d e f g x y z", True),
        ("a b c d e f g h i j", "a b c d e f w x y z", False),
        ("", "", False),
    ],
)
def test_reasons_are_one_by_length_and_tokens(one: str, other: str, same: bool) -> None:
    assert is_same_reason(reason_tokens(one), reason_tokens(other)) is same


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("asyncpg.exceptions.DeadlockDetectedError: deadlock", "DeadlockDetectedError"),
        ("ReadTimeout while calling", "ReadTimeout"),
        ("an error", ""),
    ],
)
def test_the_class_of_an_exception(text: str, expected: str) -> None:
    assert exception_class(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", None),
        ("12345", None),
        ("valuation", None),
        ("the price is not in the report", "en"),
        ("der Preis ist nicht in dem Bericht", "de"),
        ("le prix n'est pas dans le rapport", "fr"),
        ("el precio no está en el informe", "es"),
        ("il prezzo non è nella relazione", "it"),
        ("de prijs staat niet in het rapport", "nl"),
        ("o preço não está no relatório", "pt"),
        ("报告中没有价格", "zh"),
        ("価格がレポートにない", "ja"),
        ("цены нет в отчёте", "ru"),
    ],
)
def test_languages(text: str, expected: str | None) -> None:
    assert language_of(text) == expected


@pytest.mark.parametrize(
    ("text", "comparable"),
    [
        ("", False),
        ("wrong", False),
        ("ditto", False),
        ("This is wrong again, please fix", False),
        ("das ist falsch", False),
        ("👎", False),
        ("wrong currency", False),
        ("The currency of the valuation is wrong", True),
        ("报告中没有价格", True),
    ],
)
def test_generic_notes_are_not_compared(text: str, comparable: bool) -> None:
    assert can_be_compared(text) is comparable, content_words(text)


def test_what_a_note_quotes_is_not_its_own() -> None:
    quoted = "> The company was founded in 2019.\nNo, it was 2017"
    assert own_words(quoted) == "No, it was 2017"
    assert own_words("> only a quotation") == "> only a quotation"
    assert own_words(f'You say "{"x" * 60}" but no') == "You say but no"
    assert own_words('It says "EUR"') == 'It says "EUR"'
    assert [len(part.split()) for part in chunks("word " * 450)] == [200, 200, 50]


@pytest.mark.parametrize(
    ("origins", "expected"),
    [
        ([], 0),
        ([Origin("user:a", "response:1")], 1),
        ([Origin("user:a", "response:1")] * 5, 1),  # one rejection with five fields
        ([Origin("end_user:a", f"turn:{n}", True) for n in range(5)], 1),  # five thumbs of one user
        ([Origin("end_user:a", "turn:1", True), Origin("end_user:b", "turn:1", True)], 2),
        ([Origin("user:a", "response:1"), Origin("user:a", "response:2")], 2),
        ([Origin("user:a", "response:1", text="x"), Origin("user:a", "response:2", text="x")], 1),  # copies
        ([Origin("user:a", "r:1", text="x"), Origin("user:b", "r:2", text="x")], 2),
        ([Origin("agent:s@1", "session:1"), Origin("agent:s@1", "session:1")], 1),  # retries of a session
        ([Origin("agent:s@1", "session:1"), Origin("agent:s@1", "session:2")], 2),
        ([Origin(None, "trace:1"), Origin(None, "trace:2")], 0),  # scored by a machine elsewhere
        (
            [
                Origin("user:a", "r:1", text="x"),
                Origin("user:a", "r:2", text="y"),
                Origin("user:a", "r:1", text="y"),
            ],
            1,
        ),  # the third joins the first two
    ],
)
def test_origins(origins: list[Origin], expected: int) -> None:
    assert count_origins(origins) == expected
    assert count_origins(origins[::-1]) == expected


def about(source: str = "tool", comment: str | None = None, **context: Any) -> About:
    return About(FeedbackSource(source), Rating.NEGATIVE, comment, "scout", "deal", context)


@pytest.mark.parametrize(
    ("given", "block", "kind"),
    [
        (about("chat", "too long an answer"), "negative|scout|deal", None),
        (about("extraction", field_name="valuation"), "negative|scout|deal|field|valuation", GroupKind.FIELD),
        (about("extraction", field_name="r1.market"), "negative|scout|deal|field|market", GroupKind.FIELD),
        (
            about("extraction", field_name="stage", named=True),
            "negative|scout|deal|field|stage",
            GroupKind.FIELD,
        ),
        (about("extraction", field_name="stage", named=False), "negative|scout|deal|along|stage", None),
        (about("tool", tool_slug="search"), "negative|scout|deal|tool|search", GroupKind.TOOL),
        (about("session", golden_id="g", field_name="x"), "negative|scout|deal|golden|g", GroupKind.GOLDEN),
        (about("tool", tool_slug="a|b"), "negative|scout|deal|tool|a/b", GroupKind.TOOL),
        (about("tool", tool_slug=7), "negative|scout|deal", None),
        (
            about("session", failure_reason="KeyError: 'x'", code="tool_failed"),
            "negative|scout|deal|reason|tool_failed|KeyError",
            GroupKind.REASON,
        ),
    ],
)
def test_keys(given: About, block: str, kind: GroupKind | None) -> None:
    found = keys_of(given)
    assert (found.block, found.kind) == (block, kind)


def test_what_a_reviewer_hardly_explains_is_not_compared() -> None:
    words = "the valuation is in dollars instead of euros"
    scores: list[tuple[Any, bool]] = [(39, False), (40, True), (None, True), ("high", True)]
    for score, compared in scores:
        found = keys_of(about("extraction", words, field_name="valuation", quality={"score": score}))
        assert (found.text is not None) is compared, score


def test_copies_are_known_by_their_masked_words() -> None:
    one = keys_of(about("chat", "The fee of 3.50 was charged twice"))
    other = keys_of(about("chat", "the fee of 7.00  was charged twice"))
    assert one.words == other.words
    assert keys_of(about("chat", None)).words == ""


@pytest.mark.parametrize(
    ("notes", "expected"), [(0, 0.55), (50, 0.55), (75, 0.575), (100, 0.60), (10_000, 0.60)]
)
def test_among_many_notes_more_is_asked(notes: int, expected: float) -> None:
    assert group_at(notes) == pytest.approx(expected)


def labels(*, good: float, bad: float, count: int) -> list[Label]:
    return [Label(good, True)] * (count // 2) + [Label(bad, False)] * (count - count // 2)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([], PROPOSED),
        (labels(good=0.70, bad=0.66, count=29), PROPOSED),
        (labels(good=0.70, bad=0.66, count=30), 0.68),
        (labels(good=0.60, bad=0.50, count=40), PROPOSED),
        ([Label(0.5, True)] * 40, PROPOSED),
        (labels(good=0.95, bad=0.74, count=40), BOUNDS[1]),
        (labels(good=0.48, bad=0.20, count=40), BOUNDS[0]),
    ],
)
def test_decisions_move_the_threshold(given: list[Label], expected: float) -> None:
    assert refit(given) == pytest.approx(expected, abs=0.011)


def test_a_false_group_weighs_twice() -> None:
    mixed = [Label(0.60, True)] * 19 + [Label(0.60, False)] * 11 + [Label(0.70, True)] * 5
    assert refit(mixed) > 0.60
    assert refit([Label(0.60, True)] * 25 + [Label(0.60, False)] * 11) == PROPOSED


@pytest.mark.parametrize(
    ("notes", "others", "expected"),
    [
        ([], ["a"], ""),
        (["The currency is wrong"], [], "The currency is wrong"),
        (
            [
                "wrong currency in the valuation",
                "the valuation has the wrong currency",
                "currency of the valuation",
            ],
            ["the answer is too long", "too slow"],
            "currency · valuation",
        ),
        (["alpha one", "beta two"], [], "beta two"),
    ],
)
def test_titles(notes: list[str], others: list[str], expected: str) -> None:
    assert set(title(notes, others).split(" · ")) == set(expected.split(" · "))
