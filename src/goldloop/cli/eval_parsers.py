"""The parsers of what runs without the server's packages: scorecards, evals, what things rest on."""

import argparse
from typing import Any

from goldloop.cli.parsers import command_group, command_parser


def add_scorecard(commands: Any) -> None:
    parser = command_parser(
        commands, "scorecard", "scorecard", "run the suites of artifact evals and show what fails"
    )
    parser.add_argument(
        "--suite", action="append", default=[], metavar="NAME", help="run this suite (repeatable)"
    )
    parser.add_argument(
        "--folder", action="append", default=[], metavar="DIR", help="take suites from here (repeatable)"
    )
    parser.add_argument("--out", metavar="DIR", help="also write summary.json and summary.md here")
    parser.add_argument(
        "--timeout",
        type=float,
        default=10.0,
        metavar="SECONDS",
        help="how long one fixture may take (default 10; 0 is for ever)",
    )


def add_evals(commands: Any) -> None:
    evals = command_group(commands, "eval", "evals: goldens that are replayed")
    run = command_parser(
        evals, "run", "eval run", "replay a set of goldens on a server, or those of a file against a function"
    )
    run.add_argument("set", nargs="?", metavar="SET", help="a set of goldens of the workspace")
    run.add_argument("--file", metavar="FILE", help="replay goldens of a file instead, without a server")
    run.add_argument(
        "--agent", metavar="AGENT", help="what is replayed: SLUG or SLUG@VERSION, with --file MODULE:FUNCTION"
    )
    run.add_argument("--repeats", type=int, metavar="K", help="of each golden (default 3, with --file 1)")
    _add_gate(run)
    run.add_argument(
        "--write-baseline",
        metavar="FILE",
        help="with --file: write the goldens here with what passed now as their baseline",
    )
    _add_eval_server(run)
    export = command_parser(evals, "export", "eval export", "write a set of goldens into a file")
    export.add_argument("set", metavar="SET")
    export.add_argument("--out", metavar="FILE", help="where to (default: standard output)")
    experiment = command_parser(evals, "experiment", "eval experiment", "measure what knowledge is worth")
    experiment.add_argument("set", metavar="SET", help="a set of goldens of the workspace")
    experiment.add_argument("--agent", metavar="AGENT", help="whose replays they are: SLUG or SLUG@VERSION")
    experiment.add_argument("--replays", type=int, metavar="N", help="how many count in all (default 240)")
    experiment.add_argument("--dry-run", action="store_true", help="only say what it would take and find")
    experiment.add_argument("--wait", action="store_true", help="until it is over, and say what it found")
    for parser in (run, export, experiment):
        _add_server(parser)


def _add_server(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--url", help="the server's address (default $GOLDLOOP_URL)")
    parser.add_argument("--key", help="an API key (default $GOLDLOOP_KEY)")


def add_chain(commands: Any) -> None:
    parser = command_parser(commands, "chain", "chain", "show what something rests on, or what rests on it")
    parser.add_argument("ref", metavar="REF", help="as field:RECORD/FIELD, source:web:ADDRESS, knowledge:ID")
    parser.add_argument(
        "--direction",
        choices=("back", "forward"),
        default="back",
        help="what it rests on (default), or what rests on it",
    )
    parser.add_argument("--depth", type=int, metavar="STEPS", help="how many steps at most (default 12)")
    parser.add_argument("--nodes", type=int, metavar="COUNT", help="how many nodes at most (default 500)")
    _add_server(parser)


def _add_gate(run: argparse.ArgumentParser) -> None:
    run.add_argument("--min-pass-rate", type=float, metavar="RATE", help="fail below this pass rate")
    run.add_argument(
        "--min-pass-rate-lower",
        type=float,
        metavar="RATE",
        help="fail if the lower end of its interval is below",
    )
    run.add_argument(
        "--min-judge-pass-rate",
        type=float,
        metavar="RATE",
        help="fail if the lower end of the rate by a licensed judge, corrected for its errors, is below",
    )
    run.add_argument("--margin", type=float, default=0.05, help="how much lower is no worse (default 0.05)")
    run.add_argument("--require-conclusive", action="store_true", help="fail if chance explains the change")
    run.add_argument("--junit", metavar="FILE", help="also write JUnit XML here")
    run.add_argument("--summary", metavar="FILE", help="also append Markdown here")


def _add_eval_server(run: argparse.ArgumentParser) -> None:
    run.add_argument(
        "--baseline",
        metavar="SLUG@VERSION",
        help="whose replays it is compared with; run:ID for the agent of a run, none for nobody",
    )
    run.add_argument("--mode", help="frozen, hybrid (default) or live")
    run.add_argument("--context", help="snapshot (default) or live")
    run.add_argument("--confirm", action="store_true", help="call a regression only after five fresh repeats")
    run.add_argument("--max-cost", type=float, metavar="DOLLARS", help="start no more replays above this")
    run.add_argument("--trigger", help="why it is run: manual (default) or post-deploy")
    run.add_argument("--commit", metavar="SHA", help="what is tried, as version control names it")
