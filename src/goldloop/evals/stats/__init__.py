"""What chance explains: intervals, tests and plans for outcomes of replays. One file for each question.

In flow passes of runs per golden, for a candidate and its baseline; out flow verdicts with intervals. A run that is missing,
inconclusive or failed by its infrastructure is counted beside the others, never as a failure.
"""

from goldloop.evals.stats.corrected_rates import (
    CorrectedRate,
    CorrectionMethod,
    NoCorrection,
    ppi_mean,
    rogan_gladen,
)
from goldloop.evals.stats.counting import (
    Counts,
    GoldenCounts,
    NoiseFloor,
    ReplayOutcome,
    classify_floor,
    count_outcomes,
)
from goldloop.evals.stats.e_values import e_bh, e_value
from goldloop.evals.stats.graded import graded_interval, permutation_p
from goldloop.evals.stats.holm import holm
from goldloop.evals.stats.kappa import Agreement, Both, cohen_kappa
from goldloop.evals.stats.ledger import VarianceLedger, judgings_to_buy, variance_ledger
from goldloop.evals.stats.licence import JudgedRate, Licence, NoLicence, judge_licence, licence_of
from goldloop.evals.stats.model import InvalidCounts, Verdict, decide
from goldloop.evals.stats.nightly import Nightly, confirm_alarm, nightly_alarm
from goldloop.evals.stats.paired import MeanInterval, paired_t
from goldloop.evals.stats.passes import pass_at_k, pass_hat_k
from goldloop.evals.stats.planning import repeats_beside, repeats_to_buy, run_variance, smallest_detectable
from goldloop.evals.stats.proportions import Bounds, clopper_pearson, golden_rate, jeffreys, wilson
from goldloop.evals.stats.row_evidence import (
    RowBasis,
    RowFigure,
    RowJudgement,
    RowLabel,
    RowPairs,
    RowProposal,
    judge_row,
)
from goldloop.evals.stats.row_planning import Assignment, RowPlan, random_halves, row_power, row_replays
from goldloop.evals.stats.row_values import NoValue, RowObservation, RowValue, RowValues, row_values
from goldloop.evals.stats.stratified import StratifiedInterval, stratified_interval
from goldloop.evals.stats.stratified_test import ExactTest, exact_test

__all__ = [
    "Agreement",
    "Assignment",
    "Both",
    "Bounds",
    "CorrectedRate",
    "CorrectionMethod",
    "Counts",
    "ExactTest",
    "GoldenCounts",
    "InvalidCounts",
    "JudgedRate",
    "Licence",
    "MeanInterval",
    "Nightly",
    "NoCorrection",
    "NoLicence",
    "NoValue",
    "NoiseFloor",
    "ReplayOutcome",
    "RowBasis",
    "RowFigure",
    "RowJudgement",
    "RowLabel",
    "RowObservation",
    "RowPairs",
    "RowPlan",
    "RowProposal",
    "RowValue",
    "RowValues",
    "StratifiedInterval",
    "VarianceLedger",
    "Verdict",
    "classify_floor",
    "clopper_pearson",
    "cohen_kappa",
    "confirm_alarm",
    "count_outcomes",
    "decide",
    "e_bh",
    "e_value",
    "exact_test",
    "golden_rate",
    "graded_interval",
    "holm",
    "jeffreys",
    "judge_licence",
    "judge_row",
    "judgings_to_buy",
    "licence_of",
    "nightly_alarm",
    "paired_t",
    "pass_at_k",
    "pass_hat_k",
    "permutation_p",
    "ppi_mean",
    "random_halves",
    "repeats_beside",
    "repeats_to_buy",
    "rogan_gladen",
    "row_power",
    "row_replays",
    "row_values",
    "run_variance",
    "smallest_detectable",
    "stratified_interval",
    "variance_ledger",
    "wilson",
]
