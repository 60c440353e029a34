"""`goldloop scorecard`: runs the suites of artifact evals. Needs nothing of the server."""

import argparse
import io
import json
import os
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TextIO

from goldloop.artifact_evals.discovery import SuitesNotLoaded, select_suites
from goldloop.artifact_evals.scorecard import Scorecard, as_markdown, as_text, build_scorecard, summarize
from goldloop.artifact_evals.time_limit import limit_of
from goldloop.cli.output import CommandError, Exit, Output


def scorecard(arguments: argparse.Namespace, output: Output) -> int:
    try:
        with redirect_stdout(sys.stderr):  # what suites print is no part of the answer
            suites = select_suites(arguments.suite, [Path(folder) for folder in arguments.folder])
            card = build_scorecard(suites, limit_of(arguments.timeout))
    except SuitesNotLoaded as error:
        raise CommandError(str(error), Exit.USAGE, "suites_not_loaded") from error
    if isinstance(sys.stdout, io.TextIOWrapper):  # a name that this terminal cannot show is no reason to fail
        sys.stdout.reconfigure(errors="backslashreplace")
    text = as_text(card, colour=wants_colour(sys.stdout))
    if arguments.out is not None:
        folder = Path(arguments.out)
        _write(card, folder)
        text += f"\n\nwrote {folder / 'summary.json'} and {folder / 'summary.md'}"
    output.result(summarize(card), text)
    return Exit.OK if card.passed else Exit.FAILED


def wants_colour(stream: TextIO) -> bool:
    """On a terminal, unless it cannot or its owner asked for none (https://no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _write(card: Scorecard, folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        summary = json.dumps(summarize(card), indent=2, ensure_ascii=False)
        (folder / "summary.json").write_text(f"{summary}\n", encoding="utf-8")
        (folder / "summary.md").write_text(as_markdown(card), encoding="utf-8")
    except OSError as error:
        raise CommandError(
            f"cannot write to {folder}: {error.strerror}", Exit.USAGE, "cannot_write"
        ) from error
