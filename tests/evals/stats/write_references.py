"""Writes the values of scipy and statsmodels that our statistics are held to, in an environment that has both:

    python tests/evals/stats/write_references.py

Neither is a dependency of the tests: together they are larger than all that Goldloop needs.
"""

import json
import random
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

FILE = Path(__file__).parents[2] / "data" / "evals_statistics.json"


def references() -> dict[str, Any]:
    stats, special = import_module("scipy.stats"), import_module("scipy.special")
    proportion = import_module("statsmodels.stats.proportion")
    multitest = import_module("statsmodels.stats.multitest")
    shapes = [(0.5, 0.5), (1.0, 3.0), (2.5, 17.5), (17.5, 3.5), (80.0, 20.0), (400.0, 700.0)]
    tails = [0.001, 0.025, 0.05, 0.5, 0.8, 0.95, 0.999]
    pairs: list[tuple[list[float], list[float]]] = [
        ([0.9, 0.4, 0.7, 0.6, 0.8], [0.8, 0.6, 0.9, 0.6, 1.0]),
        ([1, 0, 0.5], [0, 0.5, 1]),
    ]
    several = [[0.01, 0.04, 0.03, 0.005], [0.2, 0.9, 0.5], [0.02], [0.01, 0.01, 0.01]]
    welch: list[tuple[list[float], list[float]]] = [
        ([0.9, 0.7, 0.8], [0.6, 0.9, 0.4, 0.5]),
        ([1, 0], [1, 1, 0]),
    ]
    return {
        "incomplete_beta": [
            [a, b, x, float(special.betainc(a, b, x))]
            for (a, b), x in product(shapes, [0.001, 0.1, 0.37, 0.5, 0.9, 0.999])
        ],
        "beta_quantile": [[p, a, b, float(stats.beta.ppf(p, a, b))] for (a, b), p in product(shapes, tails)],
        "t_quantile": [
            [p, df, float(stats.t.ppf(p, df))] for df, p in product([1, 2, 4, 9.5, 30, 400], tails)
        ],
        "t_probability": [
            [t, df, float(stats.t.cdf(t, df))] for df, t in product([1, 3.7, 20], [-4.0, -0.3, 0.0, 1.1, 9.0])
        ],
        "proportions": [
            {
                "passes": passes,
                "runs": runs,
                "level": level,
                **{
                    name: [float(v) for v in proportion.proportion_confint(passes, runs, 1 - level, method)]
                    for name, method in (("wilson", "wilson"), ("jeffreys", "jeffreys"), ("clopper_pearson", "beta"))
                },
            }
            for (passes, runs), level in product([(17, 20), (1, 3), (3, 5), (250, 1000)], [0.90, 0.95])
        ],
        "holm": [[list(p), [float(v) for v in multitest.multipletests(p, method="holm")[1]]] for p in several],
        "paired_t": [_paired(stats, a, b) for a, b in pairs],
        "welch": [_welch(stats, a, b) for a, b in welch],
        "mcnemar": [
            [better, worse, float(stats.binomtest(better, better + worse, 0.5, "less").pvalue)]
            for better, worse in [(0, 1), (1, 4), (3, 9), (5, 5)]
        ],
        "ledger": _ledger(),
    }  # fmt: skip


def _paired(stats: Any, a: list[float], b: list[float]) -> dict[str, Any]:
    test = stats.ttest_rel(a, b, alternative="less")
    interval = stats.ttest_rel(a, b).confidence_interval(0.90)
    return {"candidate": a, "baseline": b, "p": float(test.pvalue), "interval": [float(v) for v in interval]}


def _welch(stats: Any, a: list[float], b: list[float]) -> dict[str, Any]:
    """One golden: what is left is Welch's test of two samples."""
    test = stats.ttest_ind(a, b, equal_var=False)
    interval = [float(v) for v in test.confidence_interval(0.90)]
    less = stats.ttest_ind(a, b, equal_var=False, alternative="less")
    return {
        "candidate": a,
        "baseline": b,
        "df": float(test.df),
        "p": float(less.pvalue),
        "interval": interval,
    }


def _ledger() -> dict[str, Any]:
    """A mixed model by restricted likelihood: the same as the analysis of variance where the design is balanced."""
    rng = random.Random(7)
    scores = []
    for _ in range(12):
        case = rng.gauss(0.6, 0.15)
        runs = [rng.gauss(case, 0.12) for _ in range(4)]
        scores.append([[round(rng.gauss(run, 0.06), 4) for _ in range(3)] for run in runs])
    frame = import_module("pandas").DataFrame(
        [
            {"golden": g, "run": f"{g}-{r}", "score": score}
            for g, golden in enumerate(scores)
            for r, run in enumerate(golden)
            for score in run
        ]
    )
    formula = import_module("statsmodels.formula.api")
    model = formula.mixedlm(
        "score ~ 1", frame, groups="golden", re_formula="1", vc_formula={"run": "0 + C(run)"}
    )
    found = model.fit(reml=True, method="powell", ftol=1e-14)
    return {
        "scores": scores,
        "judge": float(found.scale),
        "agent": float(found.vcomp[0]),
        "case": float(found.cov_re.iloc[0, 0]),
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(references(), separators=(",", ":")) + "\n")
