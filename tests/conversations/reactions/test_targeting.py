"""Which turn a reaction means: the formula, the window, what is named, close calls, and a measured set."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldloop.conversations.reactions.targeting import (
    FLOOR,
    FLOOR_ELSEWHERE,
    MARGIN,
    TOP,
    WINDOW,
    Candidate,
    Target,
    locate,
    named_in,
    recencies,
    score,
    shared_with,
)
from goldloop.kit.embedding import EmbeddedEncoder

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
CONVERSATIONS = Path(__file__).parents[3] / "tools" / "gate_data" / "targets.jsonl"


def turn(
    name: str,
    similarity: float,
    *,
    minutes_ago: float = 1,
    order: int = 0,
    text: str = "",
    conversation: str = "c",
) -> Candidate:
    return Candidate(
        turn_id=name,
        conversation_id=conversation,
        similarity=similarity,
        ts=NOW - timedelta(minutes=minutes_ago),
        order=order,
        text=text,
    )


def decided(target: Target) -> tuple[str | None, str | None]:
    return target.turn_id, target.decision


@pytest.mark.parametrize(
    ("minutes_ago", "shares"),
    [
        ([], []),
        ([7], [1.0]),
        ([10, 0], [0.0, 1.0]),
        ([10, 5, 0], [0.0, 0.5, 1.0]),
        ([100, 10, 0], [0.0, 0.9, 1.0]),
        ([5, 5, 5], [0.0, 0.5, 1.0]),  # one moment: by order
    ],
)
def test_recency_is_linear_from_the_oldest_to_the_newest(
    minutes_ago: list[float], shares: list[float]
) -> None:
    candidates = [turn(str(i), 0.5, minutes_ago=m, order=i) for i, m in enumerate(minutes_ago)]
    found = recencies(candidates)
    assert [found[str(i), "c"] for i in range(len(shares))] == pytest.approx(shares)


def test_the_score_is_the_seeds_formula() -> None:
    old, new = score("", [turn("old", 0.8, minutes_ago=10), turn("new", 0.4, minutes_ago=0)])
    assert (old.turn_id, old.score) == ("old", pytest.approx(0.85 * 0.8))
    assert (new.turn_id, new.score) == ("new", pytest.approx(0.85 * 0.4 + 0.15))


def test_the_best_five_are_kept_best_first() -> None:
    found = score("", [turn(str(i), i / 10, order=i) for i in range(9)])
    assert [s.turn_id for s in found] == ["8", "7", "6", "5", "4"]
    assert len(found) == TOP


def test_of_equal_scores_the_newer_turn_comes_first() -> None:
    found = score("", [turn("a", 0.5, minutes_ago=1, order=0), turn("b", 0.5, minutes_ago=1, order=1)])
    assert found[0].turn_id == "b"


def test_without_any_turn_there_is_no_target() -> None:
    assert decided(locate("wrong", here=[], now=NOW)) == (None, None)


def test_a_single_turn_is_meant() -> None:
    assert decided(locate("wrong", here=[turn("a", -0.2)], now=NOW)) == ("a", "only")


def test_when_nothing_is_similar_the_last_turn_is_meant() -> None:
    here = [
        turn("a", FLOOR - 0.01, minutes_ago=9),
        turn("b", 0.0, minutes_ago=5),
        turn("c", 0.05, minutes_ago=1),
    ]
    assert decided(locate("works, thanks", here=here, now=NOW)) == ("c", "last")


def test_a_clear_lead_decides() -> None:
    here = [turn("a", 0.8, minutes_ago=9), turn("b", 0.2, minutes_ago=1)]
    assert decided(locate("the tax part is wrong", here=here, now=NOW)) == ("a", "clear")


@pytest.mark.parametrize(("ahead", "decision"), [(MARGIN - 0.001, "undecided"), (MARGIN + 0.001, "clear")])
def test_a_close_call_is_left_to_a_person(ahead: float, decision: str) -> None:
    # the newer one leads by its recency of 0.15; similarity makes up for all of it but `ahead`
    older = turn("a", 0.5 + (0.15 - ahead) / 0.85, minutes_ago=9)
    found = locate("hm", here=[older, turn("b", 0.5, minutes_ago=1)], now=NOW)
    assert found.decision == decision
    assert [c.turn_id for c in found.candidates] == ["b", "a"]
    assert (found.turn_id is None) == (decision == "undecided")


@pytest.mark.parametrize(
    ("message", "meant"),
    [
        ("55812 never came", "a"),
        ("parse_date is fine", "b"),
        ("the total in Halden is off", "a"),
        ("`retry_all` hangs", "b"),
        ("the second query is wrong", "b"),
        ("your first answer was right", "a"),
    ],
)
def test_a_number_a_name_or_an_ordinal_breaks_a_close_call(message: str, meant: str) -> None:
    here = [
        turn("a", 0.63, minutes_ago=9, order=0, text="order 55812 of Halden, total 1,940"),
        turn("b", 0.5, minutes_ago=1, order=1, text="parse_date and `retry_all` are in dates.py"),
    ]
    assert decided(locate(message, here=here, now=NOW)) == (meant, "named")


def test_what_both_turns_have_breaks_nothing() -> None:
    here = [turn("a", 0.63, minutes_ago=9, text="in 2023"), turn("b", 0.5, minutes_ago=1, text="for 2023")]
    assert locate("2023 is wrong", here=here, now=NOW).decision == "undecided"


def test_a_number_does_not_overrule_a_clear_lead() -> None:
    here = [turn("a", 0.9, minutes_ago=9), turn("b", 0.1, minutes_ago=1, text="7 days")]
    assert decided(locate("it took 7 days", here=here, now=NOW)) == ("a", "clear")


def test_a_plain_word_breaks_a_close_call_and_speaks_where_nothing_is_similar() -> None:
    here = [
        turn("a", 0.1, minutes_ago=9, text="book a taxi home"),
        turn("b", 0.1, minutes_ago=1, text="a table at Luigi"),
    ]
    assert decided(locate("the taxi never came", here=here, now=NOW)) == ("a", "named")


def test_terms_count_only_where_one_turn_has_them() -> None:
    here = [turn("a", 0, text="semaphores and 12"), turn("b", 0, text="mutexes and 12")]
    assert named_in("12 semaphores", here) == {("a", "c"): [], ("b", "c"): []}
    assert shared_with("12 semaphores", here) == {("a", "c"): ["semap"], ("b", "c"): []}


@pytest.mark.parametrize(
    ("similarity", "meant"), [(FLOOR_ELSEWHERE, "there"), (FLOOR_ELSEWHERE - 0.01, "last")]
)
def test_another_conversation_is_meant_only_when_it_is_plainly_alike(similarity: float, meant: str) -> None:
    here = [turn("first", 0.1, minutes_ago=9), turn("last", 0.1, minutes_ago=1)]
    elsewhere = [
        turn("there", similarity, minutes_ago=99, conversation="d"),
        turn("other", 0.0, minutes_ago=50, conversation="d"),
    ]
    assert locate("hm", here=here, elsewhere=elsewhere, now=NOW).turn_id == meant


def test_the_same_conversation_comes_first() -> None:
    here = [turn("a", 0.4, minutes_ago=9), turn("b", 0.0, minutes_ago=1)]
    elsewhere = [turn("z", 0.99, conversation="d")]
    assert locate("hm", here=here, elsewhere=elsewhere, now=NOW).conversation_id == "c"


def test_a_turn_older_than_a_year_is_not_meant() -> None:
    old = Candidate(turn_id="a", conversation_id="c", similarity=0.9, ts=NOW - WINDOW, order=0)
    too_old = Candidate(
        turn_id="b", conversation_id="c", similarity=0.9, ts=NOW - WINDOW - timedelta(seconds=1), order=0
    )
    assert decided(locate("wrong", here=[old, too_old], now=NOW)) == ("a", "only")


@given(
    st.text(max_size=40),
    st.lists(st.tuples(st.floats(-1, 1), st.integers(0, 10_000), st.text(max_size=20)), max_size=9),
)
def test_a_target_is_always_one_of_its_candidates(message: str, made: list[tuple[float, int, str]]) -> None:
    here = [turn(str(i), s, minutes_ago=m, order=i, text=t) for i, (s, m, t) in enumerate(made)]
    found = locate(message, here=here, now=NOW)
    assert (found.decision is None) == (not here)
    assert (found.turn_id is None) == (found.decision in (None, "undecided"))
    if found.turn_id is not None and found.decision != "last":
        assert found.turn_id in {c.turn_id for c in found.candidates}
    assert [c.score for c in found.candidates[:TOP]] == sorted(
        (c.score for c in found.candidates[:TOP]), reverse=True
    )


def test_on_written_conversations_the_meant_turn_is_found() -> None:
    """The figures of design/machine-reactions.md, with some room for another machine's rounding."""
    conversations = [json.loads(line) for line in CONVERSATIONS.read_text().splitlines()]
    texts = [t[role] for c in conversations for t in c["turns"] for role in ("user", "assistant")]
    texts += [case["message"] for c in conversations for case in c["cases"]]
    vectors = dict(zip(texts, EmbeddedEncoder().encode(texts), strict=True))
    right = undecided = wrong = 0
    for conversation in conversations:
        turns = conversation["turns"]
        for case in conversation["cases"]:
            vector = vectors[case["message"]]
            here = [
                turn(
                    str(i + 1),
                    float(max(vectors[t["user"]] @ vector, vectors[t["assistant"]] @ vector)),
                    minutes_ago=3 * (len(turns) - i),
                    order=i,
                    text=f"{t['user']}\n{t['assistant']}",
                )
                for i, t in enumerate(turns)
            ]
            found = locate(case["message"], here=here, now=NOW)
            if case["meant"] is None:
                continue
            if found.decision == "undecided":
                undecided += 1
            elif found.turn_id == str(case["meant"]):
                right += 1
            else:
                wrong += 1
    assert right / (right + wrong) >= 0.90
    assert undecided / (right + wrong + undecided) <= 0.10


@pytest.mark.parametrize(
    ("similarities", "meant", "decision"),
    [
        ({"a": 0.45, "b": 0.1}, "b", "last"),  # not plainly alike: the user's last turn
        ({"a": -0.01}, "a", "last"),
        ({"a": 0.8, "b": 0.1}, "a", "only"),
        ({"a": 0.9, "b": 0.52}, "a", "clear"),
    ],
)
def test_a_message_that_begins_a_conversation(
    similarities: dict[str, float], meant: str, decision: str
) -> None:
    elsewhere = [
        turn(name, similarity, minutes_ago=60 - place, conversation="d")
        for place, (name, similarity) in enumerate(similarities.items())
    ]
    found = locate("hm", here=[], elsewhere=elsewhere, now=NOW)
    assert (found.turn_id, found.conversation_id, found.decision) == (meant, "d", decision)
