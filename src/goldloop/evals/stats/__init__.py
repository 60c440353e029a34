"""What chance explains: intervals, tests and plans for outcomes of replays. One file for each question.

In flow passes of runs per golden, for a candidate and its baseline; out flow verdicts with intervals. A run that is missing,
inconclusive or failed by its infrastructure is counted beside the others, never as a failure.
"""

from goldloop.evals.stats.counting import (
    Counts,
    GoldenCounts,
    NoiseFloor,
    ReplayOutcome,
    classify_floor,
    count_outcomes,
)
from goldloop.evals.stats.graded import graded_interval, permutation_p
from goldloop.evals.stats.holm import holm
from goldloop.evals.stats.kappa import Agreement, Both, cohen_kappa
from goldloop.evals.stats.ledger import VarianceLedger, judgings_to_buy, variance_ledger
from goldloop.evals.stats.model import InvalidCounts, Verdict, decide
from goldloop.evals.stats.nightly import Nightly, confirm_alarm, nightly_alarm
from goldloop.evals.stats.paired import MeanInterval, paired_t
from goldloop.evals.stats.passes import pass_at_k, pass_hat_k
from goldloop.evals.stats.planning import repeats_beside, repeats_to_buy, run_variance, smallest_detectable
from goldloop.evals.stats.proportions import Bounds, clopper_pearson, golden_rate, jeffreys, wilson
from goldloop.evals.stats.stratified import StratifiedInterval, stratified_interval
from goldloop.evals.stats.stratified_test import ExactTest, exact_test

__all__ = [
    "Agreement",
    "Both",
    "Bounds",
    "Counts",
    "ExactTest",
    "GoldenCounts",
    "InvalidCounts",
    "MeanInterval",
    "Nightly",
    "NoiseFloor",
    "ReplayOutcome",
    "StratifiedInterval",
    "VarianceLedger",
    "Verdict",
    "classify_floor",
    "clopper_pearson",
    "cohen_kappa",
    "confirm_alarm",
    "count_outcomes",
    "decide",
    "exact_test",
    "golden_rate",
    "graded_interval",
    "holm",
    "jeffreys",
    "judgings_to_buy",
    "nightly_alarm",
    "paired_t",
    "pass_at_k",
    "pass_hat_k",
    "permutation_p",
    "repeats_beside",
    "repeats_to_buy",
    "run_variance",
    "smallest_detectable",
    "stratified_interval",
    "variance_ledger",
    "wilson",
]
