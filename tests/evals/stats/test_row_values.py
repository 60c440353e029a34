"""What a row is worth, beside the values of statsmodels; why a row has no value; and how often chance is taken for worth."""

import random

import pytest

from goldloop.evals.stats import InvalidCounts, NoValue, RowObservation, RowValue, holm, row_values
from goldloop.evals.stats.distributions import t_probability, t_quantile
from goldloop.evals.stats.row_values import shrunk_z
from goldloop.evals.stats.within import fit_within
from tests.evals.stats.drawn import draw_experiment
from tests.evals.stats.references import REFERENCES
from tests.loops import some


def replay(golden: str, outcome: float | None, present: str, applicable: str) -> RowObservation:
    return RowObservation(
        golden=golden, outcome=outcome, present=frozenset(present), applicable=frozenset(applicable)
    )


def by_row(replays: list[RowObservation], *rows: str) -> dict[str, RowValue]:
    return {value.row: value for value in row_values(replays, rows).rows}


@pytest.mark.parametrize("expected", REFERENCES["rows"], ids=["passes", "scores of rows that apply to some"])
def test_values_and_errors_are_those_of_least_squares_with_fixed_effects(expected: dict[str, list]) -> None:  # type: ignore[type-arg]
    groups: dict[str, list[tuple[frozenset[str], float]]] = {}
    for golden, outcome, present, _ in expected["replays"]:
        groups.setdefault(golden, []).append((frozenset(present), outcome))
    fit = fit_within(list(groups.values()), expected["rows"])
    assert (fit.df, fit.variance) == (expected["df"], pytest.approx(expected["variance"], abs=1e-12))
    found = [fit.coefficients[row] for row in expected["rows"]]
    assert [each.value for each in found] == pytest.approx(expected["values"], abs=1e-10)
    assert [each.classical for each in found] == pytest.approx(expected["classical"], abs=1e-10)
    assert [each.robust for each in found] == pytest.approx(expected["robust"], abs=1e-10)
    values = row_values(
        [
            replay(golden, outcome, present, applicable)
            for golden, outcome, present, applicable in expected["replays"]
        ]
    )
    for value, each in some(zip(values.rows, found, strict=True)):
        error = max(each.classical, each.robust)
        half = t_quantile(0.975, each.df) * error
        assert (value.delta, value.error) == (each.value, error)
        assert (value.low, value.high) == pytest.approx((each.value - half, each.value + half))
        assert value.p == pytest.approx(2 * (1 - t_probability(abs(each.value) / error, each.df)))
        assert value.df is not None
        assert 1 <= value.df <= expected["df"]  # type: ignore[operator]
    assert [value.adjusted_p for value in values.rows] == holm([value.p or 0 for value in values.rows])


def test_one_row_by_hand() -> None:
    outcomes = {"g": ([1, 1, 1, 1, 0], [1, 0, 0, 0, 0])}
    replays = [replay(g, o, "a" * present, "a") for g, (there, gone) in outcomes.items() for present, side in ((1, there), (0, gone)) for o in side]  # fmt: skip
    value = by_row(replays)["a"]
    assert value.delta == pytest.approx(0.6)
    assert value.error is not None
    assert value.error == pytest.approx((0.2 * 2 / 5) ** 0.5)  # both errors agree where sides are equal
    assert value.df == pytest.approx(8)
    assert (value.with_row, value.without_row, value.replays, value.goldens) == (5, 5, 10, 1)
    assert value.adjusted_p == value.p
    assert value.value_z == pytest.approx(0.6 / value.error * 0.01 / (0.01 + 0.08))


def test_a_row_that_has_no_value_says_why() -> None:
    # Of the golden "one" a row is always there, of "two" never; "d" and "e" only come together.
    replays = [
        replay(golden, outcome, present + ("g" if golden == "one" else ""), "abcdefg")
        for golden in ("one", "two")
        for outcome, present in [(1, "bade"), (0, "b"), (1, "bde"), (0, "ba"), (1, "bf"), (1, "ba")] * 3
    ]
    found = by_row(replays, "elsewhere")
    assert {row: value.reason for row, value in found.items()} == {
        "a": None,
        "b": NoValue.ALWAYS_PRESENT,
        "c": NoValue.NEVER_PRESENT,
        "d": NoValue.ALIASED,
        "e": NoValue.ALIASED,
        "elsewhere": NoValue.NEVER_APPLIED,
        "f": None,
        "g": NoValue.NOT_VARIED,
    }
    assert (found["d"].aliased_with, found["e"].aliased_with) == (("e",), ("d",))
    for value in found.values():
        figures = (value.delta, value.low, value.high, value.error, value.p, value.adjusted_p, value.value_z)
        assert all(figure is None for figure in figures) == (value.reason is not None)
    assert (found["elsewhere"].replays, found["b"].with_row, found["c"].without_row) == (0, 36, 36)


def test_what_is_aliased_takes_nothing_from_the_others() -> None:
    rng = random.Random(3)
    replays = draw_experiment(rng, 3, 10, 8, {})
    twice = [
        RowObservation(
            golden=each.golden,
            outcome=each.outcome,
            present=each.present | ({"twin"} if "r00" in each.present else set()),
            applicable=each.applicable | {"twin"},
        )
        for each in replays
    ]
    alone, beside = by_row(replays), by_row(twice)
    assert beside["r00"].aliased_with == ("twin",)
    for row in ("r01", "r02"):
        assert beside[row].delta == pytest.approx(alone[row].delta)
        assert beside[row].error == pytest.approx(alone[row].error)


def test_exactly_half_of_the_rows_in_each_replay_tells_nothing() -> None:
    halves = ["ab", "cd", "ac", "bd", "ad", "bc"] * 4
    found = by_row([replay("g", i % 2, present, "abcd") for i, present in enumerate(halves)])
    assert {value.reason for value in found.values()} == {NoValue.ALIASED}
    assert found["a"].aliased_with == ("b", "c", "d")


@pytest.mark.parametrize(
    "replays",
    [
        [replay("g", 1, "a", "a"), replay("g", 0, "", "a")],
        [replay("g", 1, "a", "a")] * 4 + [replay("g", 0, "", "a")] * 20,
    ],
    ids=["nothing left to tell an error by", "four with the row"],
)
def test_too_few_replays_give_no_value(replays: list[RowObservation]) -> None:
    assert by_row(replays)["a"].reason is NoValue.TOO_FEW


def test_replays_to_which_other_rows_applied_are_not_compared() -> None:
    first = [replay("g", o, p, "a") for o, p in [(1, "a"), (0, ""), (1, "a"), (1, "")] * 3]
    later = [replay("g", 0, "", "ab") for _ in range(9)]  # the agent was worse, the row not there
    assert by_row(first)["a"].delta == pytest.approx(by_row(first + later)["a"].delta)


def test_what_never_varied_is_not_known_for_certain() -> None:
    replays = [replay(f"g{i % 4}", 1, "a" * (i // 4 % 2), "a") for i in range(32)]
    value = by_row(replays)["a"]
    assert value.delta == 0
    assert value.p == 1
    assert value.low == pytest.approx(-t_quantile(0.975, 27.0) * (0.1 / 5 / 8) ** 0.5)
    assert row_values(replays).variance == pytest.approx(0.1 / 5)


def test_without_replays_no_row_has_a_value() -> None:
    assert row_values([]).rows == ()
    found = row_values([], ["a"])
    assert (found.rows[0].reason, found.replays, found.variance) == (NoValue.NEVER_APPLIED, 0, None)
    assert row_values([replay("g", 1, "", "")]).rows == ()


def test_a_row_that_applies_and_was_never_drawn_says_so() -> None:
    replays = [replay("g", i % 2, "a" * (i // 2 % 2), "a") for i in range(12)]
    found = {value.row: value.reason for value in row_values(replays, ["b", "c"], applying=["a", "b"]).rows}
    assert found == {"a": None, "b": NoValue.NOT_DRAWN, "c": NoValue.NEVER_APPLIED}


def test_a_row_that_does_not_apply_counts_for_nothing() -> None:
    replays = [replay("g", i % 2, "a" * (i // 2 % 2) + "x", "a") for i in range(12)]
    assert by_row(replays).keys() == {"a"}


@pytest.mark.parametrize("outcome", [-0.1, 1.1, float("nan")])
def test_an_outcome_lies_between_0_and_1(outcome: float) -> None:
    with pytest.raises(InvalidCounts):
        row_values([replay("g", outcome, "", "a")])


@pytest.mark.parametrize(
    ("delta", "error", "shrunk"), [(0.2, 0.05, 3.2), (0.2, 0.1, 1.0), (-0.2, 0.1, -1.0), (0.2, 0.2, 0.2), (0, 0.1, 0)]
)  # fmt: skip
def test_for_ranking_what_is_unsure_shrinks(delta: float, error: float, shrunk: float) -> None:
    assert shrunk_z(delta, error) == pytest.approx(shrunk)


def test_of_twelve_rows_the_one_worth_twenty_points_is_found_and_hardly_another() -> None:
    rng = random.Random(20)
    experiments, found, false = 200, 0, 0
    for _ in range(experiments):
        values = row_values(draw_experiment(rng, 12, 20, 12, {"r00": 0.2})).rows
        flagged = {value.row for value in values if value.is_flagged}
        found += "r00" in flagged
        false += bool(flagged - {"r00"})
    assert found / experiments >= 0.60
    assert false / experiments <= 0.05


def test_rows_of_goldens_that_vary_more_than_others_are_not_flagged_by_chance() -> None:
    """Where rows only apply to shaky goldens, the classical error alone takes a useless one for useful in half of the
    experiments."""
    rng = random.Random(21)
    experiments, false = 150, 0
    for _ in range(experiments):
        replays = [
            RowObservation(
                golden=each.golden,
                outcome=float(rng.random() < (0.5 if shaky else 0.99)),
                present=each.present if shaky else each.present - {"r00", "r01"},
                applicable=each.applicable if shaky else each.applicable - {"r00", "r01"},
            )
            for each in draw_experiment(rng, 12, 20, 6, {})
            for shaky in [each.golden in {"g0", "g1"}]
        ]
        false += any(value.is_flagged for value in row_values(replays).rows)
    assert false / experiments <= 0.05


def test_what_is_lost_is_counted_beside_each_row() -> None:
    replays = [replay("g", i % 2, "a" * (i // 2 % 2), "a") for i in range(40)]
    lost = [replay("g", None, "a", "a"), replay("g", None, "a", "a"), replay("g", None, "", "a")]
    value = by_row(replays + lost)["a"]
    assert (value.with_row, value.without_row, value.lost_with, value.lost_without) == (20, 20, 2, 1)
    assert (value.reason, value.replays, row_values(replays + lost).replays) == (None, 40, 40)
    assert by_row(lost, "a")["a"].reason is NoValue.LOST


def test_more_than_a_fifth_lost_on_a_side_gives_no_value() -> None:
    replays = [replay("g", i % 2, "a" * (i // 2 % 2), "a") for i in range(40)]
    value = by_row([*replays, *[replay("g", None, "", "a")] * 6])["a"]
    assert (value.reason, value.delta, value.p, value.adjusted_p) == (NoValue.LOST, None, None, None)
    even = [replay("g", None, "a" * (i % 2), "a") for i in range(10)]
    assert by_row(replays + even)["a"].reason is None


def test_what_is_lost_counts_as_nothing_or_as_failures_whichever_says_less() -> None:
    replays = [replay("g", i % 2 if i // 2 % 2 else i % 3 > 0, "a" * (i // 2 % 2), "a") for i in range(60)]
    lost = [replay("g", None, "", "a")] * 2
    without, as_failed = by_row(replays)["a"], by_row([*replays, *[replay("g", 0, "", "a")] * 2])["a"]
    assert without.p is not None
    assert as_failed.p is not None
    found = by_row(replays + lost)["a"]
    more = max((without, as_failed), key=lambda value: value.p or 0)
    assert (found.p, found.delta, found.low) == (more.p, more.delta, more.low)


def test_a_row_that_harms_and_hides_it_by_losing_replays_is_not_taken_for_useful() -> None:
    """It is worth minus 20 points, and 60% of the failures with it ask for what no recording answers: without those it looks as
    if it did nothing."""
    rng = random.Random(22)
    experiments, refused, false = 60, 0, 0
    for _ in range(experiments):
        first, *_ = row_values(draw_experiment(rng, 12, 20, 12, {"r00": -0.2}, {"r00": 0.6})).rows
        refused += first.reason is NoValue.LOST
        false += first.is_flagged and (first.delta or 0) > 0
        assert first.lost_with > first.lost_without
    assert refused / experiments >= 0.75
    assert false == 0
