"""How well comparisons tell good runs from bad ones, on runs of real agents whose outcome is known, and how often chance
alone is called a regression. Prints what `design/evals.md` says.

    .venv/bin/python tools/evals_figures.py FOLDER [--draws 5000]

FOLDER holds files of runs (`"format": "goldloop-trajectories-1"`): `strings`, and `runs[{task, agent, reward, version?, messages}]`
whose messages have a role `r` (`a`, `u`, `t`), a text `c`, calls `t: [[name, arguments]]`, and answers the number `i` of the
call that they answer, with `e` for an error.
"""

import argparse
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from goldloop.evals import compare
from goldloop.evals.recorded import read_session
from goldloop.evals.replay.tape import Asked, Mode, tape_of
from goldloop.evals.stats import Verdict, stratified_interval

DRAWS_OF_GOLDENS = 20  # a golden is one successful run of its task, drawn anew each time
SIBLINGS = (0, 1, 2)
FAILED_ENDS = ("agent_error", "max_steps", "too_many_errors")


class Run(NamedTuple):
    """`task` names the version of the task too: only runs of the same one are compared."""

    task: str
    agent: str
    good: bool
    session: dict[str, Any]
    facts: list[str]


class Part(NamedTuple):
    name: str
    runs: list[Run]


def load(path: Path) -> Part:
    data = json.loads(path.read_text())
    tools = {
        name: {"writes": name in data["write_tools"], "arguments": data["declared_arg_paths"].get(name)}
        for name in {*data["write_tools"], *data["declared_arg_paths"], *_called(data)}
    }
    runs = []
    for run in data["runs"]:
        version = run.get("version")
        task = f"{run['task']}|{version}" if version else run["task"]
        session = {
            "type": "chat",
            "status": "failed" if run.get("end") in FAILED_ENDS else "completed",
            "events": list(_events(run["messages"], data["strings"])),
            "tools": tools,
        }
        facts = [str(fact) for fact in data["tasks"].get(task, {}).get("outputs", [])]
        runs.append(Run(task, run["agent"], run["reward"] == 1, session, facts))
    return Part(data["name"], runs)


def _called(data: dict[str, Any]) -> Iterator[str]:
    return (name for run in data["runs"] for m in run["messages"] for name, _ in m.get("t", ()))


def _events(messages: Sequence[dict[str, Any]], strings: Sequence[str]) -> Iterator[dict[str, Any]]:
    calls = 0
    for message in messages:
        text = strings[message["c"]] if "c" in message else None
        if message["r"] == "t":
            outcome = {"error": text} if message.get("e") else {"result": text}
            yield {"type": "tool.result", "payload": {"id": str(message["i"]), **outcome}}
            continue
        if text is not None:
            kind = "agent.message" if message["r"] == "a" else "user.message"
            yield {"type": kind, "payload": {"text": text}}
        for name, arguments in message.get("t", ()):
            payload = {"id": str(calls), "name": name, "arguments": arguments}
            yield {"type": "tool.call", "payload": payload}
            calls += 1


def pairs(part: Part, rng: random.Random, draws: int = DRAWS_OF_GOLDENS) -> Iterator[tuple[Run, Run]]:
    """For each task one good run as the golden, with every other run of the task."""
    by_task: dict[str, list[Run]] = defaultdict(list)
    for run in part.runs:
        by_task[run.task].append(run)
    for _ in range(draws):
        for runs in by_task.values():
            good = [run for run in runs if run.good]
            if good:
                golden = rng.choice(good)
                yield from ((golden, run) for run in runs if run is not golden)


class Agreement(NamedTuple):
    """Shares of comparisons that agree with the true outcome: by the defaults, with facts, and by always saying the same."""

    compared: int
    defaults: float
    with_facts: float
    majority: float


def agreement(part: Part, rng: random.Random, draws: int = DRAWS_OF_GOLDENS) -> Agreement:
    counts: Counter[str] = Counter()
    known: dict[tuple[int, int], tuple[bool, bool]] = {}
    for golden, run in pairs(part, rng, draws):
        key = (id(golden), id(run))
        if key not in known:
            known[key] = (
                compare(golden.session, run.session).passed,
                compare({**golden.session, "facts": golden.facts}, run.session).passed,
            )
        plain, with_facts = known[key]
        counts["all"] += 1
        counts["good"] += run.good
        counts["plain"] += plain == run.good
        counts["facts"] += with_facts == run.good
    every = counts["all"]
    return Agreement(
        every,
        counts["plain"] / every,
        counts["facts"] / every,
        max(counts["good"], every - counts["good"]) / every,
    )


Sides = tuple[list[tuple[int, int]], list[tuple[int, int]]]


def halves(part: Part, agent: str, rng: random.Random) -> Sides:
    """The runs of each task of one agent, split at random into two sides of as many: (passes, runs) per task."""
    by_task: dict[str, list[bool]] = defaultdict(list)
    for run in part.runs:
        if run.agent == agent:
            by_task[run.task].append(run.good)
    sides: Sides = ([], [])
    for outcomes in by_task.values():
        half = len(outcomes) // 2
        if half:
            rng.shuffle(outcomes)
            sides[0].append((sum(outcomes[:half]), half))
            sides[1].append((sum(outcomes[half : 2 * half]), half))
    return sides


def false_alarms(part: Part, agent: str, rng: random.Random, draws: int) -> Counter[Verdict]:
    return Counter(stratified_interval(*halves(part, agent, rng)).verdict for _ in range(draws))


class Hits(NamedTuple):
    """Of reads that a tape of a golden answered to another run, and of runs all of whose reads it did."""

    reads: float
    runs: float


def hits(part: Part, rng: random.Random, siblings: int, draws: int = 5) -> Hits:
    """Another good run's reads, asked of the golden's tape with so many sibling tapes beside it."""
    by_task: dict[str, list[Run]] = defaultdict(list)
    for run in part.runs:
        if run.good:
            by_task[run.task].append(run)
    asked = answered = whole = count = 0
    for _ in range(draws):
        for runs in by_task.values():
            if len(runs) < siblings + 2:
                continue
            replay, golden, *others = rng.sample(runs, siblings + 2)
            tape = tape_of(golden.session, siblings=[run.session for run in others], mode=Mode.FROZEN)
            for calls in _messages(replay.session):
                tape.answer(calls)
            asked += tape.reads_asked
            answered += tape.reads_asked - tape.reads_missed
            whole += not tape.reads_missed
            count += 1
    return Hits(answered / asked if asked else 0.0, whole / count if count else 0.0)


def _messages(session: dict[str, Any]) -> list[list[Asked]]:
    """The calls that a run made, by message; a thought is no read."""
    messages: dict[int, list[Asked]] = {}
    for call in read_session(session, "run").calls:
        if call.name != "think":
            asked = Asked(id=str(call.place), name=call.name, arguments=call.arguments)
            messages.setdefault(call.message, []).append(asked)
    return list(messages.values())


def repeated(part: Part) -> list[str]:
    """Agents that have several runs of a task."""
    counts = Counter((run.agent, run.task) for run in part.runs)
    return sorted({agent for (agent, _), count in counts.items() if count > 1})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--draws", type=int, default=5000)
    arguments = parser.parse_args()
    parts = [load(path) for path in sorted(arguments.folder.glob("*.json"))]
    print(f"{'part':<16}{'compared':>9}{'majority':>10}{'defaults':>10}{'facts':>8}")
    for part in parts:
        found = agreement(part, random.Random(1))
        print(
            f"{part.name:<16}{found.compared:>9}{found.majority:>10.3f}{found.defaults:>10.3f}{found.with_facts:>8.3f}"
        )
    print(f"\n{'reads answered by a tape':<26}" + "".join(f"{n:>18} siblings" for n in SIBLINGS))
    for part in parts:
        found_hits = [hits(part, random.Random(1), siblings) for siblings in SIBLINGS]
        row = "".join(f"{each.reads:>15.2f} / {each.runs:.2f}" for each in found_hits)
        print(f"{part.name:<26}{row}     (reads / runs without a miss)")
    print(f"\n{'halves of':<40}{'regression':>11}{'improvement':>13}{'no worse':>10}")
    for part in parts:
        for agent in repeated(part):
            counts = false_alarms(part, agent, random.Random(1), arguments.draws)
            shares = [counts[verdict] / arguments.draws for verdict in Verdict]
            print(f"{part.name + ' ' + agent:<40}{shares[0]:>11.3f}{shares[1]:>13.3f}{shares[2]:>10.3f}")


if __name__ == "__main__":
    main()
