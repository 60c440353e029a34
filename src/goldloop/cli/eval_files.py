"""`goldloop eval run --file`: replays goldens of a file against a Python function. Needs nothing of the server."""

import argparse
import importlib
import os
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import msgspec

from goldloop.cli.eval_reports import OF_SERVERS, as_dict, as_text, check_options, read_gate, write_reports
from goldloop.cli.output import CommandError, Exit, Output
from goldloop.evals.golden_files import (
    Baseline,
    FileGolden,
    GoldenFile,
    GoldensNotRead,
    read_goldens,
    write_goldens,
)
from goldloop.evals.replay.local import replay_locally
from goldloop.evals.reports.gate import GateExit, decide_gate
from goldloop.evals.reports.run_report import GoldenResult, RunReport, build_report
from goldloop.evals.stats.counting import NoiseFloor, ReplayOutcome

Function = Callable[[Any], Any]
REPEATS = 1  # of each golden, where nobody says how many


def eval_run(arguments: argparse.Namespace, output: Output) -> int:
    """Exit codes are those of `GateExit`, as pytest has them."""
    try:
        check_options(arguments, OF_SERVERS, "of a file")
        gate, repeats = read_gate(arguments), arguments.repeats or REPEATS
        file, function = read_goldens(Path(arguments.file)), load_function(arguments.agent or "")
        with redirect_stdout(sys.stderr):  # what the function prints is no part of the answer
            results = [run_golden(golden, function, repeats) for golden in file.goldens]
        report = build_report(
            results,
            set_name=file.set,
            agent=arguments.agent,
            baseline=file.baseline,
            repeats=repeats,
            mode="frozen",
            margin=arguments.margin,
        )
        decision = decide_gate(report, gate)
        write_reports(arguments, report, decision)
        write_baseline(arguments, file, report)
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
        raise CommandError(f"--agent is MODULE:FUNCTION, and {name or 'nothing'} is not")
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


def write_baseline(arguments: argparse.Namespace, file: GoldenFile, report: RunReport) -> None:
    if not arguments.write_baseline:
        return
    try:
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
