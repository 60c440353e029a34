"""What `goldloop eval run` reads of its options and writes of a run, wherever the goldens were replayed."""

import argparse
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from goldloop.cli.output import CommandError, table
from goldloop.evals.reports.gate import Decision, Gate, GateExit
from goldloop.evals.reports.judged import judged_line
from goldloop.evals.reports.junit import as_junit
from goldloop.evals.reports.run_report import RunReport
from goldloop.evals.reports.step_summary import as_markdown, verdict_line

OF_FILES = ("file", "write_baseline")
OF_SERVERS = (
    "set", "baseline", "mode", "context", "confirm", "max_cost", "trigger", "commit", "url", "key", "min_judge_pass_rate"
)  # fmt: skip


def check_options(arguments: argparse.Namespace, others: tuple[str, ...], where: str) -> None:
    """Nothing is left unread that somebody wrote."""
    for name in others:
        if getattr(arguments, name):
            option = "SET" if name == "set" else f"--{name.replace('_', '-')}"
            raise CommandError(f"{option} is not for goldens {where}")


def read_gate(arguments: argparse.Namespace) -> Gate:
    for name in ("min_pass_rate", "min_pass_rate_lower", "min_judge_pass_rate", "margin"):
        value = getattr(arguments, name)
        if value is not None and not 0 <= value <= 1:
            raise CommandError(f"--{name.replace('_', '-')} lies between 0 and 1, and {value} does not")
    if arguments.repeats is not None and arguments.repeats < 1:
        raise CommandError("--repeats is at least 1")
    return Gate(
        min_pass_rate=arguments.min_pass_rate,
        min_pass_rate_lower=arguments.min_pass_rate_lower,
        min_judge_pass_rate=arguments.min_judge_pass_rate,
        require_conclusive=arguments.require_conclusive,
    )


def write_reports(
    arguments: argparse.Namespace,
    report: RunReport,
    decision: Decision,
    properties: Mapping[str, str] | None = None,
) -> None:
    """`properties` are what only JUnit has a place for."""
    try:
        if arguments.junit:
            now = datetime.now(UTC).isoformat(timespec="seconds")
            written = as_junit(report, decision, timestamp=now, properties=properties)
            Path(arguments.junit).write_text(written, encoding="utf-8")
        if arguments.summary:
            with Path(arguments.summary).open("a", encoding="utf-8") as summary:
                summary.write(as_markdown(report, decision))
    except OSError as error:
        raise CommandError(f"cannot write {error.filename}: {error.strerror}") from error


def as_dict(report: RunReport, decision: Decision) -> dict[str, Any]:
    listed = [{**msgspec.to_builtins(g), "change": str(g.change), "fails": g.fails} for g in report.goldens]
    counts = report.counts
    return {
        "passed": decision.exit is GateExit.PASSED,
        "exit_code": int(decision.exit),
        "set": report.set,
        "agent": report.agent,
        "baseline": report.baseline,
        "repeats": report.repeats,
        "mode": report.mode,
        "pass_rate": counts.pass_rate,
        "verdict": report.verdict,
        "interval": msgspec.to_builtins(report.interval),
        "counts": {
            "goldens": len(report.goldens),
            "missing": counts.missing,
            "replays": counts.replays,
            "inconclusive": counts.inconclusive,
            "errors": counts.errors,
        },
        "judged": msgspec.to_builtins(report.judged),
        "reasons": decision.reasons,
        "warnings": decision.warnings,
        "goldens": listed,
    }


def as_text(report: RunReport, decision: Decision) -> str:
    def share(pair: tuple[int, int] | None) -> str | None:
        return f"{pair[0]}/{pair[1]}" if pair else None

    rows = [
        [g.id, str(g.change).replace("_", " "), share(g.pair), share(g.baseline), g.divergence or g.error]
        for g in report.goldens
    ]
    lines = [table(["golden", "change", "passed", "before", "first divergence"], rows), ""] if rows else []
    lines.append(verdict_line(report))
    lines += map(judged_line, report.judged)
    lines += [f"FAILED: {reason}" for reason in decision.reasons]
    lines += [f"warning: {warning}" for warning in decision.warnings]
    return "\n".join(lines)
