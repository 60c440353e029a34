"""The process in which a run's records are judged. What a suite does there ends with it: the worker lives on. Infrastructure.

Lines of JSON come in: a `Task`, then a `RecordRow` each. Lines go out: an `Opening`, then a `Verdict` each. A record that
takes longer than the task allows ends the process, by a signal that nothing in Python holds up; so does the end of the
worker, which is the end of what comes in.
"""

import os
import signal
import sys
from typing import IO

import msgspec

from goldloop.artifact_evals.rubric import leave_out
from goldloop.artifact_evals.rubric_from_loop import with_surface_probe
from goldloop.artifact_evals.surfaces import make_surface_probe
from goldloop.artifact_runs import registry
from goldloop.artifact_runs.judging import Judge, Opening, RecordRow, Task, judge_record
from goldloop.artifact_runs.surfaces import resolvers


def main() -> None:
    answers = _keep_answers_apart()
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})
    task = msgspec.json.decode(sys.stdin.buffer.readline(), type=Task)
    signal.setitimer(signal.ITIMER_REAL, task.loading_seconds)
    sys.path[:] = task.path
    judge, problem = _prepare(task)
    signal.setitimer(signal.ITIMER_REAL, 0)
    _answer(answers, Opening(problem=problem))
    if judge is not None:
        _judge_each(judge, answers, task.seconds)
    os._exit(0)  # whatever a suite left running


def _keep_answers_apart() -> IO[bytes]:
    """Standard output for answers alone: what suites print goes where errors go."""
    kept = os.dup(1)
    os.dup2(2, 1)
    return os.fdopen(kept, "wb")


def _prepare(task: Task) -> tuple[Judge | None, str | None]:
    suite = registry.find_suite(task.suite)
    if suite is None:
        return None, "; ".join(registry.installed().problems) or f"there is no suite {task.suite}"
    rubric = leave_out(suite.rubric, task.left_out)
    return (
        Judge(
            adapter=suite.adapter,
            rubric=with_surface_probe(rubric, make_surface_probe(resolvers(task.surfaces))),
            entity_type=task.entity_type,
            tenant=task.tenant,
        ),
        None,
    )


def _judge_each(judge: Judge, answers: IO[bytes], seconds: float) -> None:
    rows = msgspec.json.Decoder(RecordRow)
    for line in sys.stdin.buffer:
        row = rows.decode(line)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        verdict = judge_record(judge, row)
        signal.setitimer(signal.ITIMER_REAL, 0)
        _answer(answers, verdict)


def _answer(answers: IO[bytes], value: object) -> None:
    answers.write(msgspec.json.encode(value) + b"\n")
    answers.flush()


if __name__ == "__main__":
    main()
