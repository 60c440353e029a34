"""What a knowledge row is worth: replays that held a random half of the rows, and what came of them. Pure.

    outcome = golden + Σ value(row) · present(row) + chance

by least squares within goldens: only replays of the same golden, to which the same rows applied, are compared. All rows share all
replays, which is why halves see what leaving out one row at a time does not. The error of a value is the larger of two, the
classical one and the robust one (HC2, MacKinnon and White 1985), with as many degrees of freedom as replays carry weight for the
row; design/evidence.md says why. A row without a value says why, and is never 0.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum

import msgspec

from goldloop.evals.model import Readable
from goldloop.evals.stats.counting import MOST_INCONCLUSIVE
from goldloop.evals.stats.distributions import t_probability, t_quantile
from goldloop.evals.stats.holm import holm
from goldloop.evals.stats.model import InvalidCounts, check_level
from goldloop.evals.stats.within import Coefficient, Fit, fit_within

LEVEL = 0.95  # of a row's interval, two-sided: a row may help or harm
FAMILY = 0.05  # the chance that any useless row of an experiment is flagged, after Holm
LEAST_SIDE = 5  # replays with the row, and without: five of five is the least that 5% can tell from chance
MOST_UNEVEN = 0.05  # by which a figure may depend on what replays count as that are lost: half of an effect that is worth finding
UNEVEN = 0.05  # the chance that sides which lose alike are taken for uneven
USUAL_EFFECT = 0.10  # by which rows differ; a value that is less sure than this shrinks by half or more

_FIGURE = ("delta", "low", "high", "error", "df", "p", "value_z")
Strata = Mapping[tuple[str, frozenset[str]], Sequence[tuple[frozenset[str], float]]]


class NoValue(StrEnum):
    """Why a row has no value."""

    NEVER_APPLIED = "never_applied"  # to no replay
    NOT_DRAWN = "not_drawn"  # it applies, and no replay that counts drew it
    ALWAYS_PRESENT = "always_present"  # nothing to compare with
    NEVER_PRESENT = "never_present"
    NOT_VARIED = "not_varied"  # present and absent, but never both for the same golden
    TOO_FEW = "too_few"  # replays with it, without it, or in all for so many rows and goldens
    LOST = "lost"  # too many replays decided nothing, or it depends on what those count as
    ALIASED = "aliased"  # it came and went together with others: whose effect it was cannot be told


class RowObservation(msgspec.Struct, frozen=True, kw_only=True):
    """One replay. `outcome` is 0 or 1, or a score between, and None where it decided nothing and is lost; `applicable` are the rows that were drawn from, `present` those that
    the prompt held. A row that does not apply counts for nothing, present or not."""

    golden: str
    outcome: float | None
    present: frozenset[str]
    applicable: frozenset[str]


class RowValue(Readable, frozen=True, kw_only=True):
    """`delta` is by how much the outcome is higher with the row than without, 0.2 being 20 points. `p` is two-sided,
    `adjusted_p` allows for the other rows (Holm). `value_z` is for ranking: delta over its error, shrunk towards 0 by how
    unsure it is. All are None where there is a `reason`; `aliased_with` are the rows that it cannot be told from. `with_row` and
    `without_row` replays decided something, `lost_with` and `lost_without` did not."""

    row: str
    delta: float | None = None
    low: float | None = None
    high: float | None = None
    error: float | None = None
    df: float | None = None
    p: float | None = None
    adjusted_p: float | None = None
    value_z: float | None = None
    with_row: int = 0
    without_row: int = 0
    lost_with: int = 0
    lost_without: int = 0
    goldens: int = 0
    reason: NoValue | None = None
    aliased_with: tuple[str, ...] = ()

    @property
    def replays(self) -> int:
        return self.with_row + self.without_row

    @property
    def is_flagged(self) -> bool:
        """It would be so by chance in at most one of twenty experiments; to be confirmed by itself."""
        return self.adjusted_p is not None and self.adjusted_p <= FAMILY


class RowValues(Readable, frozen=True, kw_only=True):
    """`variance` is that of outcomes within goldens which no row explains; None where nothing could be estimated."""

    rows: tuple[RowValue, ...]
    replays: int
    goldens: int
    level: float
    df: int
    variance: float | None


def row_values(
    observations: Iterable[RowObservation],
    rows: Collection[str] = (),
    level: float = LEVEL,
    applying: Collection[str] = (),
) -> RowValues:
    """For each of `rows`, and each that applied to a replay, in order of their ids. Compared are replays of the same golden
    to which the same rows applied. `applying` are rows that apply, whether a replay drew them or not."""
    check_level(level)
    replays = [_checked(each) for each in observations]
    strata = _strata((each, each.outcome) for each in replays if each.outcome is not None)
    counted = _count(strata, {*rows, *applying}, applying)
    columns = [row for row, value in counted.items() if value.reason is None]
    fit = fit_within(list(strata.values()), columns)
    for row in columns:
        counted[row] = _valued(counted[row], fit, level)
    if len(replays) > sum(map(len, strata.values())):
        counted = _with_lost(counted, replays, level)
    tested = [row for row, value in counted.items() if value.p is not None]
    for row, p in zip(tested, holm([counted[row].p or 0.0 for row in tested]), strict=True):
        counted[row] = msgspec.structs.replace(counted[row], adjusted_p=p)
    return RowValues(
        rows=tuple(counted.values()),
        replays=sum(map(len, strata.values())),
        goldens=len({golden for golden, _ in strata}),
        level=level,
        df=fit.df,
        variance=fit.variance,
    )


def _strata(
    replays: Iterable[tuple[RowObservation, float]],
) -> dict[tuple[str, frozenset[str]], list[tuple[frozenset[str], float]]]:
    found: dict[tuple[str, frozenset[str]], list[tuple[frozenset[str], float]]] = {}
    for each, outcome in replays:
        found.setdefault((each.golden, each.applicable), []).append((each.present & each.applicable, outcome))
    return found


def _with_lost(
    decided: Mapping[str, RowValue], replays: Sequence[RowObservation], level: float
) -> dict[str, RowValue]:
    """Rows with what was lost of each. What is lost failed as well, so each figure is reckoned twice, without those replays and with
    them as failures, and the more cautious of both counts; or neither, where what was lost may have made it."""
    lost = Counter(
        (row, row in each.present) for each in replays if each.outcome is None for row in each.applicable
    )
    as_failed = _strata((each, each.outcome or 0.0) for each in replays)
    is_lost = _strata((each, float(each.outcome is None)) for each in replays)
    every = _count(as_failed, (), ())
    columns = [row for row, value in every.items() if value.reason is None]
    failed, losing = (fit_within(list(strata.values()), columns) for strata in (as_failed, is_lost))
    found = {}
    for row in sorted({*decided, *every}):
        value = decided.get(row, RowValue(row=row))
        counts = {"lost_with": lost[row, True], "lost_without": lost[row, False]}
        other = _valued(every[row], failed, level) if row in columns else None
        if _is_lost(value, other, losing.coefficients.get(row), **counts):
            value = _no_figure(value)
        elif other is not None and value.p is not None and (other.p or 0.0) > value.p:
            figure = {name: getattr(other, name) for name in _FIGURE}
            value = msgspec.structs.replace(value, **figure)
        found[row] = msgspec.structs.replace(value, **counts)
    return found


def _is_lost(
    value: RowValue, as_failed: RowValue | None, losing: Coefficient | None, lost_with: int, lost_without: int
) -> bool:
    """Too many replays of a side are; or a side loses more than chance explains, and it depends on what they count as whether the
    row helps or harms."""
    sides = ((lost_with, value.with_row), (lost_without, value.without_row))
    if any(lost > MOST_INCONCLUSIVE * (lost + decided) for lost, decided in sides):
        return True
    if losing is None or as_failed is None or value.delta is None or as_failed.delta is None:
        return False
    if abs(value.delta - as_failed.delta) <= MOST_UNEVEN:
        return False
    agree = value.delta * as_failed.delta > 0 and max(value.p or 0.0, as_failed.p or 0.0) <= UNEVEN
    t = abs(losing.value) / max(losing.classical, losing.robust)
    return not agree and 2 * t_probability(-t, losing.df) <= UNEVEN


def _no_figure(value: RowValue) -> RowValue:
    return msgspec.structs.replace(value, **dict.fromkeys(_FIGURE), reason=NoValue.LOST, aliased_with=())


def _checked(observation: RowObservation) -> RowObservation:
    if observation.outcome is None:
        return observation
    if not 0 <= observation.outcome <= 1:  # what is no number is not either
        raise InvalidCounts(f"an outcome lies between 0 and 1, and {observation.outcome} does not")
    return observation


def _count(strata: Strata, rows: Collection[str], applying: Collection[str]) -> dict[str, RowValue]:
    with_row, applied, varied = Counter[str](), Counter[str](), set[str]()
    goldens: dict[str, set[str]] = {row: set() for row in rows}
    for (golden, applicable), replays in strata.items():
        present = Counter(row for there, _ in replays for row in there)
        with_row.update(present)
        for row in applicable:
            applied[row] += len(replays)
            goldens.setdefault(row, set()).add(golden)
        varied |= {row for row, count in present.items() if count < len(replays)}
    return {
        row: RowValue(
            row=row,
            with_row=with_row[row],
            without_row=applied[row] - with_row[row],
            goldens=len(goldens[row]),
            reason=_why_not(with_row[row], applied[row], row in varied, row in applying),
        )
        for row in sorted(goldens)
    }


def _why_not(present: int, applied: int, varied: bool, applies: bool) -> NoValue | None:
    if not applied:
        return NoValue.NOT_DRAWN if applies else NoValue.NEVER_APPLIED
    if not present:
        return NoValue.NEVER_PRESENT
    if present == applied:
        return NoValue.ALWAYS_PRESENT
    return None if varied else NoValue.NOT_VARIED


def _valued(value: RowValue, fit: Fit, level: float) -> RowValue:
    if others := fit.aliased.get(value.row):
        return msgspec.structs.replace(value, reason=NoValue.ALIASED, aliased_with=tuple(sorted(others)))
    found = fit.coefficients.get(value.row)
    if found is None or min(value.with_row, value.without_row) < LEAST_SIDE:
        return msgspec.structs.replace(value, reason=NoValue.TOO_FEW)
    error = max(found.classical, found.robust)
    half = t_quantile((1 + level) / 2, found.df) * error
    return msgspec.structs.replace(
        value,
        delta=found.value,
        low=max(found.value - half, -1.0),
        high=min(found.value + half, 1.0),
        error=error,
        df=found.df,
        p=2 * t_probability(-abs(found.value) / error, found.df),
        value_z=shrunk_z(found.value, error),
    )


def shrunk_z(delta: float, error: float, usual: float = USUAL_EFFECT) -> float:
    """The value that is to be expected, if rows are worth 0 give or take `usual`, over the error of what was measured."""
    return delta / error * usual**2 / (usual**2 + error**2)
