"""Least squares on what was present, within groups of replays: coefficients, two kinds of errors, and which columns cannot be
told apart. Pure.

Columns are 0 or 1, so the sums of products are counts of pairs, less what the means of the groups explain.
"""

from collections.abc import Sequence
from operator import mul

import msgspec

from goldloop.evals.stats.planning import USUAL_VARIANCE

_SINGULAR = 1e-9  # of a column that has variance 1: what others leave of it is rounding
_ALL_OF_IT = 1 - 1e-9  # leverage of a replay that decides its own fit: it has no residual

Group = Sequence[tuple[frozenset[str], float]]  # (columns that are 1, outcome) of each replay
Matrix = list[list[float]]


class Coefficient(msgspec.Struct, frozen=True, kw_only=True):
    """`robust` is the error where outcomes vary more for some replays than for others (HC2). `df` counts the replays that carry
    weight for this column: all that are left, where it is balanced."""

    value: float
    classical: float
    robust: float
    df: float


class Fit(msgspec.Struct, frozen=True, kw_only=True):
    """`coefficients` are those that are estimable, none where too few replays are left to tell an error by; `aliased` names for
    each other column those that it is confounded with."""

    coefficients: dict[str, Coefficient]
    aliased: dict[str, frozenset[str]]
    df: int
    variance: float | None


def fit_within(groups: Sequence[Group], columns: Sequence[str]) -> Fit:
    """Every column varies within at least one group."""
    several = [group for group in groups if len(group) > 1]
    n = sum(map(len, several))
    place = {column: i for i, column in enumerate(columns)}
    filled = [[sorted(place[c] for c in present if c in place) for present, _ in group] for group in several]
    means = [_means(each, len(columns)) for each in filled]
    gram, moments = _products(several, filled, means)
    basis, aliased = _independent(gram)
    names = {columns[i]: frozenset(columns[j] for j in others) for i, others in aliased.items()}
    df = n - len(several) - len(basis)
    if df < 1 or not basis:
        return Fit(coefficients={}, aliased=names, df=max(df, 0), variance=None)
    inverse = _inverse([[gram[i][j] for j in basis] for i in basis])
    values = [sum(map(mul, line, (moments[j] for j in basis))) for line in inverse]
    return _errors(several, filled, means, columns, basis, inverse, values, names, df)


def _means(filled: Sequence[Sequence[int]], width: int) -> list[float]:
    counts = [0] * width
    for each in filled:
        for i in each:
            counts[i] += 1
    return [count / len(filled) for count in counts]


def _products(
    groups: Sequence[Group], filled: Sequence[Sequence[Sequence[int]]], means: Sequence[Sequence[float]]
) -> tuple[Matrix, list[float]]:
    """Of the columns with each other, and with the outcome; all as differences from the means of their group."""
    width = len(means[0]) if means else 0
    gram = [[0.0] * width for _ in range(width)]
    moments = [0.0] * width
    for group, rows, mean in zip(groups, filled, means, strict=True):
        centre = sum(outcome for _, outcome in group) / len(group)
        for present, (_, outcome) in zip(rows, group, strict=True):
            for i in present:
                moments[i] += outcome - centre
                line = gram[i]
                for j in present:
                    line[j] += 1
        for i, line in enumerate(gram):
            if weight := mean[i] * len(group):
                for j, other in enumerate(mean):
                    line[j] -= weight * other
    return gram, moments


def _independent(gram: Matrix) -> tuple[list[int], dict[int, set[int]]]:
    """Columns that span all of them, by elimination with the largest pivot first; and those whose own coefficient is not
    determined, with the columns that each of them is confounded with."""
    width = len(gram)
    scale = [gram[i][i] ** -0.5 if gram[i][i] > _SINGULAR else 0.0 for i in range(width)]
    left = [[gram[i][j] * scale[i] * scale[j] for j in range(width)] for i in range(width)]
    basis: list[int] = []
    free = set(range(width))
    while free:
        pivot = max(sorted(free), key=lambda i: left[i][i])
        if left[pivot][pivot] <= _SINGULAR:
            break
        free.discard(pivot)
        basis.append(pivot)
        line = [value / left[pivot][pivot] for value in left[pivot]]
        for i in range(width):
            if i != pivot and (factor := left[i][pivot]):
                left[i] = [a - factor * b for a, b in zip(left[i], line, strict=True)]
        left[pivot] = line
    confounded = {i: {j for j in basis if abs(left[j][i]) > _SINGULAR**0.5} | {i} for i in sorted(free)}
    aliased: dict[int, set[int]] = {}
    for together in confounded.values():
        for i in together:
            aliased.setdefault(i, set()).update(together - {i})
    return sorted(basis), aliased


def _inverse(matrix: Matrix) -> Matrix:
    """By elimination with the diagonal as pivots, which a positive definite matrix allows."""
    size = len(matrix)
    left = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for pivot in range(size):
        line = [value / left[pivot][pivot] for value in left[pivot]]
        for i in range(size):
            if i != pivot and (factor := left[i][pivot]):
                left[i] = [a - factor * b for a, b in zip(left[i], line, strict=True)]
        left[pivot] = line
    return [row[size:] for row in left]


def _errors(
    groups: Sequence[Group],
    filled: Sequence[Sequence[Sequence[int]]],
    means: Sequence[Sequence[float]],
    columns: Sequence[str],
    basis: Sequence[int],
    inverse: Matrix,
    values: Sequence[float],
    aliased: dict[str, frozenset[str]],
    df: int,
) -> Fit:
    at = {column: i for i, column in enumerate(basis)}
    squares = 0.0
    robust, second, fourth = ([0.0] * len(basis) for _ in range(3))
    for group, rows, mean in zip(groups, filled, means, strict=True):
        size = len(group)
        centre = sum(outcome for _, outcome in group) / size
        middle = [mean[i] for i in basis]
        expected = sum(map(mul, values, middle))
        off = [sum(map(mul, line, middle)) for line in inverse]
        for present, (_, outcome) in zip(rows, group, strict=True):
            here = [at[i] for i in present if i in at]
            lines = [inverse[i] for i in here]
            weights = [sum(cells) - less for *cells, less in zip(*lines, off, strict=True)]
            residual = outcome - centre - (sum(values[i] for i in here) - expected)
            leverage = 1 / size + sum(weights[i] for i in here) - sum(map(mul, weights, middle))
            squares += residual**2
            out = residual**2 / (1 - leverage) if leverage < _ALL_OF_IT else 0.0
            for i, weight in enumerate(weights):
                square = weight * weight
                robust[i] += square * out
                second[i] += square
                fourth[i] += square * square
    # Where nothing varied it is not nothing, but what one more golden might have brought.
    variance = squares / df if squares > _SINGULAR else USUAL_VARIANCE / (len(groups) + 1)
    share = df / sum(map(len, groups))
    return Fit(
        coefficients={
            columns[column]: Coefficient(
                value=values[i],
                classical=(variance * inverse[i][i]) ** 0.5,
                robust=robust[i] ** 0.5,
                df=max(1.0, second[i] ** 2 / fourth[i] * share),
            )
            for i, column in enumerate(basis)
            if columns[column] not in aliased
        },
        aliased=aliased,
        df=df,
        variance=variance,
    )
