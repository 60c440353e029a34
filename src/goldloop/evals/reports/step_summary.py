"""A run in Markdown, for the summary of a CI step and the comment on a pull request. Pure."""

from goldloop.evals.reports.gate import Decision, GateExit
from goldloop.evals.reports.judged import judged_line
from goldloop.evals.reports.run_report import GoldenMove, GoldenResult, RunReport

MOST_CHANGED = 20  # goldens in the table; the rest is folded away
MOST_BYTES = 900_000  # a summary of 1 MiB is refused as a whole
_QUIET = (GoldenMove.UNCHANGED,)
_RANK = {change: rank for rank, change in enumerate(GoldenMove)}


def verdict_line(report: RunReport) -> str:
    """The verdict with what it rests on, in one line."""
    rate = report.counts.pass_rate
    passed = "no golden was decided" if rate is None else f"pass rate {rate:.1%}"
    found = report.interval
    if found is None or found.difference is None or found.low is None or found.high is None:
        return f"{passed}, without a baseline"
    return (
        f"{report.verdict}: {found.difference * 100:+.1f} points, 90% interval "
        f"{found.low * 100:+.1f} to {found.high * 100:+.1f}, against {report.baseline or 'the baseline'} "
        f"({passed}; {found.goldens} goldens, {report.repeats} repeats; a change of "
        f"{(found.smallest_detectable or 0) * 100:.1f} points could be seen)"
    )


def as_markdown(report: RunReport, decision: Decision) -> str:
    """Headings begin at the third level. Never longer than a summary may be."""
    mark = {GateExit.PASSED: "passed", GateExit.FAILED: "failed"}.get(decision.exit, "not decided")
    lines = [f"### {_cell(report.set)}, {_cell(report.agent)}: {mark}", "", verdict_line(report), ""]
    lines += [f"- {_cell(text)}" for text in [*decision.reasons, *decision.warnings]]
    lines += [f"- {_cell(judged_line(each))}" for each in report.judged]
    changed = sorted(
        (golden for golden in report.goldens if golden.change not in _QUIET),
        key=lambda golden: (_RANK[golden.change], golden.id),
    )
    if changed:
        lines += ["", *_table(changed[:MOST_CHANGED])]
    if len(changed) > MOST_CHANGED:
        rest = changed[MOST_CHANGED:]
        lines += ["", f"<details><summary>{len(rest)} more</summary>", "", *_table(rest), "", "</details>"]
    return _within("\n".join(lines) + "\n")


def _table(goldens: list[GoldenResult]) -> list[str]:
    rows = [
        f"| {_cell(golden.id)} | {str(golden.change).replace('_', ' ')} | {_share(golden.pair)} "
        f"| {_share(golden.baseline)} | {_cell(golden.divergence or golden.error or '')} |"
        for golden in goldens
    ]
    return ["| golden | | passed | before | first divergence |", "|---|---|---|---|---|", *rows]


def _share(pair: tuple[int, int] | None) -> str:
    return f"{pair[0]} of {pair[1]}" if pair else "-"


def _cell(text: str) -> str:
    plain = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|")
    return plain if len(plain) <= 300 else f"{plain[:299]}…"


def _within(text: str) -> str:
    encoded = text.encode()
    if len(encoded) <= MOST_BYTES:
        return text
    return encoded[:MOST_BYTES].decode(errors="ignore").rpartition("\n")[0] + "\n\nThe rest is left out.\n"
