"""Which rows an experiment measures and which of them each replay has: pure, so tables are enough."""

from uuid import UUID

import pytest

from goldloop.goldens.experiments.planning import (
    Compared,
    Coverage,
    Ground,
    counts_of,
    cover,
    hashes_of,
    lay_out,
    observe,
    plan_halves,
    plan_pairs,
    there_of,
)
from goldloop.knowledge.model import KnowledgeState, KnowledgeType
from goldloop.knowledge.printing import PrintedRow
from goldloop.knowledge.prompts.trial_service import InScope
from goldloop.knowledge.prompts.trial_store import TrialRow
from goldloop.knowledge.selection import Scope
from tests.loops import some

AGENT, OTHER, TYPE = UUID(int=91), UUID(int=92), UUID(int=93)
GOLDENS = [UUID(int=n) for n in (1, 2, 3)]
HERE, ABOUT = Scope(AGENT), Scope(AGENT, TYPE)


def row(number: int, rank: float = 0.0, agent: UUID | None = None, kind: UUID | None = None) -> TrialRow:
    printed = PrintedRow(UUID(int=100 + number), KnowledgeType.LESSON, f"Lesson {number}", None)
    return TrialRow(printed, KnowledgeState.ACTIVE, rank, agent, kind)


def ids(*numbers: int) -> list[UUID]:
    return [UUID(int=100 + number) for number in numbers]


def ground(**applicable: list[int]) -> Ground:
    numbers = sorted({n for rows in applicable.values() for n in rows})
    return Ground(
        {UUID(int=100 + n): row(n) for n in numbers},
        {GOLDENS[place]: ids(*rows) for place, rows in enumerate(applicable.values())},
        {
            GOLDENS[place]: [row(9).row, *(row(n).row for n in rows)]
            for place, rows in enumerate(applicable.values())
        },
        0,
    )


def test_unnamed_rows_are_what_prompts_hold_then_shadow_by_rank_as_many_as_there_may_be() -> None:
    known = {HERE: InScope([row(1, 1.0), row(2, 5.0)], [row(3, 9.0)])}
    found = lay_out({GOLDENS[0]: HERE}, known, None, 2)
    assert (list(found.rows), found.left_out) == (ids(2, 1), 1)
    assert found.applicable == {GOLDENS[0]: ids(2, 1)}
    assert [each.id for each in found.in_prompt[GOLDENS[0]]] == ids(1, 2)


def test_a_row_applies_where_it_holds_and_a_golden_without_one_is_not_replayed() -> None:
    known = {HERE: InScope([], []), ABOUT: InScope([], [])}
    named = [row(1, kind=TYPE), row(2, agent=OTHER)]
    found = lay_out({GOLDENS[0]: HERE, GOLDENS[1]: ABOUT}, known, named, 40)
    assert found.applicable == {GOLDENS[1]: ids(1)}
    assert lay_out({GOLDENS[0]: HERE}, known, named, 40).applicable == {}
    assert lay_out({}, {}, None, 40).applicable == {}


@pytest.mark.parametrize(
    ("wanted", "there", "made"),
    [
        (12, {}, [4, 4, 4]),
        (13, {}, [6, 4, 4]),
        (6, {}, [2, 2, 2]),
        (2, {1: 2}, [0, 0, 0]),
        (4, {1: 2, 2: 1}, [0, 0, 2]),
        (12, {0: 4, 1: 3}, [0, 2, 4]),
        (12, {0: 9}, [0, 4, 4]),
        (0, {}, [0, 0, 0]),
    ],
)
def test_each_golden_gets_its_share_in_even_numbers_less_what_is_there(
    wanted: int, there: dict[int, int], made: list[int]
) -> None:
    counted = {GOLDENS[place]: count for place, count in there.items()}
    assert list(counts_of(ground(a=[1], b=[1], c=[1]), wanted, counted, "seed").values()) == made
    assert counts_of(ground(), wanted, {}, "seed") == {}


def test_of_many_goldens_as_many_are_replayed_as_there_are_pairs_and_each_row_has_some() -> None:
    goldens = [UUID(int=1000 + n) for n in range(100)]
    applicable = {golden: ids(1, 2) if place % 50 == 49 else ids(1) for place, golden in enumerate(goldens)}
    laid = Ground({each: row(1) for each in ids(1, 2)}, applicable, dict.fromkeys(goldens, ()), 0)
    counts = counts_of(laid, 40, {}, "seed")
    assert sum(counts.values()) == 40
    assert set(counts.values()) == {0, 2}
    assert sum(counts[golden] for golden in laid.goldens_of(ids(2)[0])) == 4, "both to which it applies"
    assert counts_of(laid, 40, {}, "seed") == counts != counts_of(laid, 40, {}, "another")


def test_halves_have_each_row_half_of_the_times_beside_what_is_not_measured() -> None:
    laid = ground(a=[1, 2], b=[2])
    planned = plan_halves(laid, {GOLDENS[0]: 6, GOLDENS[1]: 4}, {GOLDENS[1]: 10}, "seed")
    assert [each.golden for each in planned[:4]] == [GOLDENS[0], GOLDENS[1]] * 2
    for golden, rows, count in ((GOLDENS[0], ids(1, 2), 6), (GOLDENS[1], ids(2), 4)):
        own = [each for each in planned if each.golden == golden]
        assert len(own) == count
        for row_id in some(rows):
            assert sum(row_id in each.present for each in own) == count // 2
        assert all([r.id for r in each.prompt] == [*ids(9), *each.present] for each in own)
    assert [each.repeat for each in planned if each.golden == GOLDENS[1]] == [11, 12, 13, 14]
    assert plan_halves(laid, {GOLDENS[0]: 6, GOLDENS[1]: 4}, {GOLDENS[1]: 10}, "seed") == planned
    assert plan_halves(laid, {}, {}, "seed") == []


def test_pairs_differ_in_one_row_and_every_second_is_of_a_golden_it_was_learnt_from() -> None:
    laid = ground(a=[1], b=[1], c=[1, 2])
    planned = plan_pairs(laid, ids(1, 2), {ids(1)[0]: {GOLDENS[2]}}, 4, {})
    of_first = [each for each in planned if each.measures == ids(1)[0]]
    with_row, without = of_first[::2], of_first[1::2]
    assert [each.golden for each in with_row] == [GOLDENS[2], GOLDENS[0], GOLDENS[2], GOLDENS[1]]
    assert [(a.golden, a.repeat) for a in with_row] == [(b.golden, b.repeat) for b in without]
    assert [each.baseline for each in of_first] == [False, True] * 4
    for one, other in some(list(zip(with_row, without, strict=True))):
        assert {r.id for r in one.prompt} - {r.id for r in other.prompt} == set(ids(1))
    repeats = [(each.golden, each.repeat, each.baseline) for each in planned]
    assert len(set(repeats)) == len(repeats), "no two replays of a golden are the same one"
    assert plan_pairs(laid, [], {}, 4, {}) == []


def test_rows_whose_words_changed_were_not_drawn_and_runs_are_kept_apart() -> None:
    hashes = hashes_of({each.row.id: each for each in (row(1), row(2))})
    first, second = UUID(int=7), UUID(int=8)
    old = {**hashes, ids(2)[0]: "other words"}
    replays = [
        Compared(GOLDENS[0], first, True, ids(1, 2), ids(1), old),
        Compared(GOLDENS[0], second, False, ids(1, 2), ids(2), hashes),
        Compared(GOLDENS[0], second, False, ids(3), ids(3), {}),
    ]
    (_, _, one), (_, _, other) = observe(replays, hashes)
    assert (one.applicable, one.present, one.outcome) == ({str(ids(1)[0])}, {str(ids(1)[0])}, 1.0)
    assert (other.applicable, other.present) == ({str(each) for each in ids(1, 2)}, {str(ids(2)[0])})
    assert one.golden != other.golden
    assert observe([], hashes) == []


def test_of_a_golden_there_is_what_drew_its_least_drawn_row() -> None:
    laid = ground(a=[1, 2], b=[1])
    hashes, run = hashes_of(laid.rows), UUID(int=7)
    replays = [Compared(golden, run, True, ids(1), [], hashes) for golden in GOLDENS[:2]] * 4
    observed = observe(replays, hashes)
    assert there_of(laid, observed) == {GOLDENS[0]: 0, GOLDENS[1]: 4}, "the second row was never drawn"
    assert there_of(laid, []) == {GOLDENS[0]: 0, GOLDENS[1]: 0}
    assert cover(laid, observed, {}) == Coverage(8, 2, 2, 2, 0)
    made = {GOLDENS[0]: 6, GOLDENS[1]: 0}
    assert cover(laid, observed, made) == Coverage(14, 2, 3, 2, 6)
    assert (cover(laid, observed, made).share, cover(laid, [], {}).share) == (6 / 14, 0)
