"""`python -m bench [--seconds N] [--connections N] [--in-turns] [--json] [WORKLOAD…]`."""

import argparse
import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any, Protocol

import uvloop

from bench import report
from bench.archives import ARCHIVES, ArchiveRow, measure_archives
from bench.archives import HEAD as ARCHIVE_HEAD
from bench.archives import line as archive_line
from bench.ground import Ground, open_ground
from bench.growing.pages import PRELOADED
from bench.growth import GROWTH, GrowthRow, measure_growth
from bench.growth import HEAD as GROWTH_HEAD
from bench.growth import line as growth_line
from bench.harness import measure, measure_ceiling, measure_in_turns
from bench.many_workspaces import HEAD as SHARES_HEAD
from bench.many_workspaces import MANY_WORKSPACES, SharesRow, measure_many_workspaces
from bench.many_workspaces import line as shares_line
from bench.processes import HEAD as PROCESSES_HEAD
from bench.processes import PROCESSES, ProcessesRow, measure_processes
from bench.processes import line as processes_line
from bench.prompts import HEAD as PROMPT_HEAD
from bench.prompts import PROMPTS, PromptRow, measure_prompts
from bench.prompts import line as prompt_line
from bench.pure import PURE
from bench.pure import model as pure
from bench.spans import HEAD, KINDS, SPANS, SpansRow, line, measure_derivation, measure_hostile, measure_spans
from bench.start import HEAD as START_HEAD
from bench.start import START, Figure, measure_start
from bench.start import line as start_line
from bench.workloads import WORKLOADS
from goldloop.kit.settings import load_settings

Say = Callable[[str], object]


class Bounded(Protocol):
    @property
    def held(self) -> bool: ...


def _arguments() -> argparse.Namespace:
    served = {w.name: w.about for w in WORKLOADS.values()}
    about = (
        served
        | SPANS
        | PROMPTS
        | PROCESSES
        | MANY_WORKSPACES
        | ARCHIVES
        | GROWTH
        | START
        | {w.name: w.about for w in PURE.values()}
    )
    names = "\n".join(f"  {name:<22}{text}" for name, text in about.items())
    parser = argparse.ArgumentParser(
        prog="bench",
        description=f"Measure the server beside its database, and computations beside known ones.\n\nworkloads:\n{names}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("workloads", nargs="*", metavar="WORKLOAD", help="which to run (default: all)")
    parser.add_argument("--seconds", type=int, default=10, help="for each workload and contestant (10)")
    parser.add_argument("--connections", type=int, default=16, help="to the server and to PostgreSQL (16)")
    parser.add_argument(
        "--in-turns",
        action="store_true",
        help="workloads of the server in turns, compared with the first of them",
    )
    parser.add_argument("--json", action="store_true", help="print JSON and keep it in bench/results/")
    arguments = parser.parse_args()
    if arguments.in_turns and (
        len(arguments.workloads) < 2 or not WORKLOADS.keys() >= set(arguments.workloads)
    ):
        parser.error("--in-turns takes two workloads of the server, or more")
    if unknown := [name for name in arguments.workloads if name not in about]:
        parser.error(f"there is no workload {', '.join(unknown)}; there are {', '.join(about)}")
    if arguments.seconds < 1 or not 1 <= arguments.connections <= 100:
        parser.error("--seconds is at least 1, --connections 1 to 100")
    return arguments


def _run(arguments: argparse.Namespace) -> int:
    asked = arguments.workloads or [
        *WORKLOADS,
        *SPANS,
        *PROMPTS,
        *PROCESSES,
        *MANY_WORKSPACES,
        *ARCHIVES,
        *GROWTH,
        *START,
        *PURE,
    ]
    if arguments.in_turns:
        asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
        asyncio.run(_run_in_turns(asked, arguments))
        return 0
    say = _quiet if arguments.json else print
    content: dict[str, Any] = {}
    if served := [name for name in asked if name in WORKLOADS]:
        asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
        content = asyncio.run(_run_served(served, arguments, say))
    spans: list[SpansRow] = []
    if of_spans := [name for name in asked if name in SPANS]:
        asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
        spans = asyncio.run(_run_spans(of_spans, arguments, say))
    prompts: list[PromptRow] = []
    if any(name in PROMPTS for name in asked):
        asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
        prompts = asyncio.run(_run_prompts(arguments, say))
    shares: list[SharesRow] = []
    if any(name in MANY_WORKSPACES for name in asked):
        asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
        shares = asyncio.run(_run_many_workspaces(arguments, say))
    processes: list[ProcessesRow] = []
    if any(name in PROCESSES for name in asked):
        asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
        processes = asyncio.run(_run_processes(arguments, say))
    archives: list[ArchiveRow] = []
    if any(name in ARCHIVES for name in asked):
        asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
        archives = asyncio.run(_run_archives(arguments, say))
    growth: list[GrowthRow] = []
    if any(name in GROWTH for name in asked):
        asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
        growth = asyncio.run(_run_growth(say))
    figures: list[Figure] = []
    if any(name in START for name in asked):
        figures = _run_start(arguments.seconds, say)
    rows = _run_pure([PURE[name] for name in asked if name in PURE], arguments.seconds, say)
    if arguments.json:
        content = (content or report.document([], [], {"seconds": arguments.seconds})) | {
            "spans": [row.as_dict() for row in spans],
            "prompts": [row.as_dict() for row in prompts],
            "processes": [row.as_dict() for row in processes],
            "many_workspaces": [row.as_dict() for row in shares],
            "archives": [row.as_dict() for row in archives],
            "growth": [row.as_dict() for row in growth],
            "start": [figure.as_dict() for figure in figures],
            "computations": [row.as_dict() for row in rows],
        }
        report.write(content)
        print(json.dumps(content, indent=2))
    return 0 if all(_held(spans, prompts, processes, shares, archives, growth, figures, rows)) else 1


def _held(*measured: Sequence[Bounded]) -> Iterator[bool]:
    return (row.held for rows in measured for row in rows)


async def _run_served(names: list[str], arguments: argparse.Namespace, say: Say) -> dict[str, Any]:
    rows, measured = [], []
    async with open_ground(arguments.connections) as ground:
        most, health = await measure_ceiling(ground, arguments.connections)
        say(f"{arguments.connections} connections, {os.cpu_count()} cores, {arguments.seconds} s each")
        say(report.ceiling_line(most, health))
        say(f"\n{report.HEAD}")
        for name in names:
            measured.append(await measure(ground, WORKLOADS[name], arguments.connections, arguments.seconds))
            rows.append(report.summarize(measured[-1]))
            say(report.lines(rows[-1]))
    settings = {
        "connections": arguments.connections,
        "seconds": arguments.seconds,
        "load_generator_rate": most.rate,
        "healthz_rate": health.rate,
    }
    return report.document(rows, measured, settings)


async def _run_spans(names: list[str], arguments: argparse.Namespace, say: Say) -> list[SpansRow]:
    """Each on a database of its own: what one leaves to be derived would be work of the next."""
    rows: list[SpansRow] = []
    say(f"\n{HEAD}")
    for name in names:
        async with open_ground(arguments.connections) as ground:
            async for row in _rows_of(name, ground, arguments):
                rows.append(row)
                say(line(row))
    return rows


async def _run_prompts(arguments: argparse.Namespace, say: Say) -> list[PromptRow]:
    async with open_ground(arguments.connections) as ground:
        rows = await measure_prompts(ground, arguments.seconds)
    say(f"\n{PROMPT_HEAD}")
    for row in rows:
        say(prompt_line(row))
    return rows


async def _run_many_workspaces(arguments: argparse.Namespace, say: Say) -> list[SharesRow]:
    async with open_ground(arguments.connections) as ground:
        rows = await measure_many_workspaces(ground)
    say(f"\n{SHARES_HEAD}")
    for row in rows:
        say(shares_line(row))
    return rows


async def _run_processes(arguments: argparse.Namespace, say: Say) -> list[ProcessesRow]:
    async with open_ground(arguments.connections) as ground:
        rows = await measure_processes(ground, arguments.connections, arguments.seconds)
    say(f"\n{PROCESSES_HEAD}")
    for row in rows:
        say(processes_line(row))
    return rows


async def _run_archives(arguments: argparse.Namespace, say: Say) -> list[ArchiveRow]:
    async with open_ground(arguments.connections) as ground:
        rows = await measure_archives(ground)
    say(f"\n{ARCHIVE_HEAD}")
    for row in rows:
        say(archive_line(row))
    return rows


async def _run_growth(say: Say) -> list[GrowthRow]:
    """On one connection, so that each plan is made once and kept."""
    say(f"\n{GROWTH_HEAD}")
    rows: list[GrowthRow] = []
    async with open_ground(1, PRELOADED) as ground:
        async for row in measure_growth(ground):
            rows.append(row)
            say(growth_line(row))
    return rows


def _run_start(seconds: int, say: Say) -> list[Figure]:
    say(f"\n{START_HEAD}")
    figures: list[Figure] = []
    for figure in measure_start(seconds):
        figures.append(figure)
        say(start_line(figure))
    return figures


async def _rows_of(name: str, ground: Ground, arguments: argparse.Namespace) -> AsyncIterator[SpansRow]:
    settings = load_settings({"GOLDLOOP_DATA_DIR": str(ground.folder / "worker")})
    if name == "spans-hostile":
        yield await measure_hostile(ground, settings)
        return
    for size in KINDS:
        if name == "spans-derive":
            yield await measure_derivation(ground, size, settings)
            continue
        for packed in (True, False):
            spans = int(name.removeprefix("spans-"))
            yield await measure_spans(
                ground, spans, size, arguments.connections, arguments.seconds, packed=packed
            )


async def _run_in_turns(names: list[str], arguments: argparse.Namespace) -> None:
    async with open_ground(arguments.connections) as ground:
        print(
            f"{arguments.connections} connections, {os.cpu_count()} cores, {arguments.seconds} s each, in turns"
        )
        workloads = [WORKLOADS[name] for name in names]
        turns = await measure_in_turns(ground, workloads, arguments.connections, arguments.seconds)
        for name, slices in zip(names, turns, strict=True):
            print(report.turns_line(name, slices, turns[0]))


def _run_pure(workloads: list[pure.PureWorkload], seconds: int, say: Say) -> list[pure.PureRow]:
    rows: list[pure.PureRow] = []
    for workload in workloads:
        if not rows:
            say(f"\n{pure.HEAD}")
        rows.append(pure.measure_pure(workload, seconds))
        say(pure.line(rows[-1], workload))
    return rows


def _quiet(*_: object) -> None:
    pass


if __name__ == "__main__":
    sys.exit(_run(_arguments()))
