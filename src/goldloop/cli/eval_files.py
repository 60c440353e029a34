"""`goldloop eval run`: replays goldens of a file against a Python function. Needs nothing of the server."""

import argparse
import importlib
import os
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from goldloop.cli.output import CommandError, Exit, Output, table
from goldloop.evals.golden_files import (
    Baseline,
    FileGolden,
    GoldenFile,
    GoldensNotRead,
    read_goldens,
    write_goldens,
)
from goldloop.evals.replay.local import replay_locally
from goldloop.evals.reports.gate import Decision, Gate, GateExit, decide_gate
from goldloop.evals.reports.junit import as_junit
from goldloop.evals.reports.run_report import GoldenResult, RunReport, build_report
from goldloop.evals.reports.step_summary import as_markdown, verdict_line
from goldloop.evals.stats.counting import NoiseFloor, ReplayOutcome

Function = Callable[[Any], Any]


def eval_run(arguments: argparse.Namespace, output: Output) -> int:
    """Exit codes are those of `GateExit`, as pytest has them."""
    try:
        file, function = read_goldens(Path(arguments.file)), load_function(arguments.agent)
        gate = read_gate(arguments)
        with redirect_stdout(sys.stderr):  # what the function prints is no part of the answer
            results = [run_golden(golden, function, arguments.repeats) for golden in file.goldens]
        report = build_report(
            results,
            set_name=file.set,
            agent=arguments.agent,
            baseline=file.baseline,
            repeats=arguments.repeats,
            mode="frozen",
            margin=arguments.margin,
        )
        decision = decide_gate(report, gate)
        write_reports(arguments, file, report, decision)
    except (GoldensNotRead, CommandError) as error:
        output.error(CommandError(str(error), Exit.USAGE, "eval_not_run"))
        return GateExit.USAGE
    except KeyboardInterrupt:
        return GateExit.INTERRUPTED
    output.result(as_dict(report, decision), as_text(report, decision))
    return decision.exit


def load_function(name: str) -> Function:
    """`module:function`, found from the working folder as well."""
    module, _, attribute = name.partition(":")
    if not module or not attribute:
        raise CommandError(f"--agent is MODULE:FUNCTION, and {name} is not")
    sys.path.insert(0, os.getcwd())
    try:
        function: Any = importlib.import_module(module)
        for part in attribute.split("."):
            function = getattr(function, part)
    except (ImportError, AttributeError) as error:
        raise CommandError(f"the agent {name} cannot be loaded: {error}") from error
    finally:
        sys.path.remove(os.getcwd())
    if not callable(function):
        raise CommandError(f"the agent {name} is no function")
    loaded: Function = function
    return loaded


def read_gate(arguments: argparse.Namespace) -> Gate:
    for name in ("min_pass_rate", "min_pass_rate_lower", "margin"):
        value = getattr(arguments, name)
        if value is not None and not 0 <= value <= 1:
            raise CommandError(f"--{name.replace('_', '-')} lies between 0 and 1, and {value} does not")
    if arguments.repeats < 1:
        raise CommandError("--repeats is at least 1")
    return Gate(
        min_pass_rate=arguments.min_pass_rate,
        min_pass_rate_lower=arguments.min_pass_rate_lower,
        require_conclusive=arguments.require_conclusive,
    )


def run_golden(golden: FileGolden, function: Function, repeats: int) -> GoldenResult:
    """One that is known to be broken is not replayed."""
    outcomes: list[ReplayOutcome] = []
    divergence = error = None
    began = time.monotonic()
    for _ in range(0 if golden.floor is NoiseFloor.BROKEN else repeats):
        replayed = replay_locally(golden.session, function, siblings=golden.siblings)
        outcomes.append(replayed.outcome)
        error = error or replayed.error
        if replayed.outcome is not ReplayOutcome.PASSED and replayed.comparison and divergence is None:
            found = replayed.comparison.divergences
            divergence = found[0].message if found else "The accuracy is too low"
            divergence += f" ({replayed.error})" if replayed.error else ""
    before = golden.baseline
    return GoldenResult(
        id=golden.id,
        outcomes=outcomes,
        baseline=(before.passes, before.runs) if before else None,
        floor=golden.floor,
        min_pass=golden.min_pass,
        divergence=divergence,
        error=error,
        seconds=time.monotonic() - began,
    )


def write_reports(
    arguments: argparse.Namespace, file: GoldenFile, report: RunReport, decision: Decision
) -> None:
    try:
        if arguments.junit:
            now = datetime.now(UTC).isoformat(timespec="seconds")
            Path(arguments.junit).write_text(as_junit(report, decision, timestamp=now), encoding="utf-8")
        if arguments.summary:
            with Path(arguments.summary).open("a", encoding="utf-8") as summary:
                summary.write(as_markdown(report, decision))
        if arguments.write_baseline:
            write_goldens(with_baseline(file, report), Path(arguments.write_baseline))
    except OSError as error:
        raise CommandError(f"cannot write {error.filename}: {error.strerror}") from error


def with_baseline(file: GoldenFile, report: RunReport) -> GoldenFile:
    """The file with what this run passed as what later ones are compared with."""
    pairs = {golden.id: golden.pair for golden in report.goldens}
    goldens = [
        msgspec.structs.replace(golden, baseline=Baseline(passes=pair[0], runs=pair[1]) if pair else None)
        for golden, pair in ((golden, pairs[golden.id]) for golden in file.goldens)
    ]
    return msgspec.structs.replace(file, baseline=report.agent, goldens=goldens)


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
    lines += [f"FAILED: {reason}" for reason in decision.reasons]
    lines += [f"warning: {warning}" for warning in decision.warnings]
    return "\n".join(lines)
