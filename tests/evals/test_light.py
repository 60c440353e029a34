"""Evals need nothing of the server."""

import subprocess
import sys

from tests.servers import environment

PROGRAM = """
import sys
import goldloop.cli.eval_exports, goldloop.cli.eval_files, goldloop.cli.eval_runs
import goldloop.evals, goldloop.evals.stats, goldloop.evals.replay.tape, goldloop.evals.replay.outcomes
heavy = {"numpy", "litestar", "asyncpg", "goldloop.kit"} & sys.modules.keys()
assert not heavy, heavy
session = {"type": "chat", "status": "completed", "events": []}
assert goldloop.evals.compare(session, session).passed
assert goldloop.evals.stats.stratified_interval([(1, 1)], [(1, 1)]).verdict == "inconclusive"
"""


def test_comparison_statistics_tapes_and_commands_import_nothing_of_the_server() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment(), capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
