"""Outcomes of made-up replays: goldens with pass rates as promoted ones have them, and rows that are worth something or nothing."""

import random
from collections.abc import Mapping

from goldloop.evals.stats import RowObservation, random_halves

RATES = (1.2, 0.32)  # of a beta distribution: mean 0.79, and 0.10 between runs of a golden


def draw_experiment(
    rng: random.Random,
    rows: int,
    goldens: int,
    replays: int,
    worth: Mapping[str, float],
    loses: Mapping[str, float] | None = None,
) -> list[RowObservation]:
    """Each golden `replays` times. What a row is worth moves the pass rate, by half of it up where it is present and down
    where it is not, as far as there is room. Where a row is present that `loses`, this share of the failures is lost."""
    names = [f"r{i:02}" for i in range(rows)]
    rates = {f"g{i}": rng.betavariate(*RATES) for i in range(goldens)}
    found = []
    for each in random_halves(dict.fromkeys(rates, names), replays, rng.getrandbits(32)):
        worth_here = sum(effect * ((row in each.present) - 0.5) for row, effect in worth.items())
        passes = rng.random() < rates[each.golden] + worth_here
        lost = max([share for row, share in (loses or {}).items() if row in each.present], default=0.0)
        found.append(
            RowObservation(
                golden=each.golden,
                outcome=None if not passes and lost and rng.random() < lost else float(passes),
                present=each.present,
                applicable=each.applicable,
            )
        )
    return found
