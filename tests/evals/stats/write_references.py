"""Writes the values of scipy, statsmodels and ppi_py that our statistics are held to, in an environment that has them:

    python tests/evals/stats/write_references.py

None is a dependency of the tests: together they are larger than all that Goldloop needs.
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
        "rows": [_rows(several) for several in (False, True)],
        "kappa": [_kappa(each) for each in ((26, 9, 1, 78), (40, 6, 3, 51), (30, 12, 9, 24))],
        "ppi": [_ppi(stats, seed) for seed in range(4)],
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


def _rows(several: bool) -> dict[str, Any]:
    """Least squares with a dummy for each golden. With `several` scores instead of passes, and rows that apply to some goldens
    only."""
    rng = random.Random(11 + several)
    rows = ["a", "b", "c", "d"]
    replays: list[tuple[str, float, list[str], list[str]]] = []
    for golden in range(6):
        applicable = rows[: 2 + golden % 3] if several else rows
        for _ in range(9 + golden):
            present = [row for row in applicable if rng.random() < 0.5]
            chance = 0.45 + 0.3 * ("a" in present) - 0.1 * ("c" in present) + 0.03 * golden
            outcome = (
                round(min(1.0, chance * rng.random() * 1.5), 3) if several else float(rng.random() < chance)
            )
            replays.append((f"g{golden}", outcome, present, applicable))
    api = import_module("statsmodels.api")
    goldens = sorted({golden for golden, *_ in replays})
    design = [
        [float(row in present) for row in rows] + [float(golden == each) for each in goldens]
        for golden, _, present, _ in replays
    ]
    model = api.OLS([outcome for _, outcome, *_ in replays], design)
    classical, robust = model.fit(), model.fit(cov_type="HC2")
    return {
        "replays": replays,
        "rows": rows,
        "values": [float(v) for v in classical.params[:4]],
        "classical": [float(v) for v in classical.bse[:4]],
        "robust": [float(v) for v in robust.bse[:4]],
        "df": int(classical.df_resid),
        "variance": float(classical.scale),
    }


def _kappa(counts: tuple[int, int, int, int]) -> dict[str, Any]:
    rater = import_module("statsmodels.stats.inter_rater")
    proportion = import_module("statsmodels.stats.proportion")
    a, b, c, d = counts
    found = rater.cohens_kappa([[a, b], [c, d]])
    return {
        "counts": counts,
        "kappa": float(found.kappa),
        "error": float(found.std_kappa),
        "tpr": [float(v) for v in proportion.proportion_confint(a, a + c, 0.05, "wilson")],
        "tnr": [float(v) for v in proportion.proportion_confint(d, b + d, 0.05, "wilson")],
    }


def _ppi(stats: Any, seed: int) -> dict[str, Any]:
    """With the two labels that nobody gave, and its half-width from the normal distribution to t."""
    rng = random.Random(seed)
    people = [float(rng.random() < 0.7) for _ in range(200)]
    judge = [truth if rng.random() < 0.55 + 0.12 * seed else 1 - truth for truth in people]
    numpy, ppi = import_module("numpy"), import_module("ppi_py")
    n = 30 + 10 * seed
    mine = numpy.array([*people[:n], 1, 0]), numpy.array([*judge[:n], 1, 0]), numpy.array(judge[n:])
    low, high = (float(v[0]) for v in ppi.ppi_mean_ci(*mine, alpha=0.05))
    centre, half = (low + high) / 2, (high - low) / 2 * stats.t.ppf(0.975, n + 1) / stats.norm.ppf(0.975)
    return {
        "labelled": [list(pair) for pair in zip(judge[:n], people[:n], strict=True)],
        "rest": judge[n:],
        "rate": centre,
        "low": float(centre - half),
        "high": float(centre + half),
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(references(), separators=(",", ":")) + "\n")
