"""`python -m bench [--seconds N] [--connections N] [--json] [WORKLOAD…]`."""

import argparse
import asyncio
import json
import os

import uvloop

from bench import report
from bench.ground import open_ground
from bench.harness import measure, measure_ceiling
from bench.workloads import WORKLOADS


def _arguments() -> argparse.Namespace:
    names = "\n".join(f"  {w.name:<16}{w.about}" for w in WORKLOADS.values())
    parser = argparse.ArgumentParser(
        prog="bench",
        description=f"Measure the server beside its database.\n\nworkloads:\n{names}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("workloads", nargs="*", metavar="WORKLOAD", help="which to run (default: all)")
    parser.add_argument("--seconds", type=int, default=10, help="for each workload and contestant (10)")
    parser.add_argument("--connections", type=int, default=16, help="to the server and to PostgreSQL (16)")
    parser.add_argument("--json", action="store_true", help="print JSON and keep it in bench/results/")
    arguments = parser.parse_args()
    if unknown := [name for name in arguments.workloads if name not in WORKLOADS]:
        parser.error(f"there is no workload {', '.join(unknown)}; there are {', '.join(WORKLOADS)}")
    if arguments.seconds < 1 or not 1 <= arguments.connections <= 100:
        parser.error("--seconds is at least 1, --connections 1 to 100")
    return arguments


async def _run(arguments: argparse.Namespace) -> None:
    said = _quiet if arguments.json else print
    rows, measured = [], []
    async with open_ground(arguments.connections) as ground:
        most, health = await measure_ceiling(ground, arguments.connections)
        said(f"{arguments.connections} connections, {os.cpu_count()} cores, {arguments.seconds} s each")
        said(report.ceiling_line(most, health))
        said(f"\n{report.HEAD}")
        for name in arguments.workloads or WORKLOADS:
            measured.append(await measure(ground, WORKLOADS[name], arguments.connections, arguments.seconds))
            rows.append(report.summarize(measured[-1]))
            said(report.lines(rows[-1]))
    if arguments.json:
        settings = {
            "connections": arguments.connections,
            "seconds": arguments.seconds,
            "load_generator_rate": most.rate,
            "healthz_rate": health.rate,
        }
        content = report.document(rows, measured, settings)
        report.write(content)
        print(json.dumps(content, indent=2))


def _quiet(*_: object) -> None:
    pass


if __name__ == "__main__":
    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    asyncio.run(_run(_arguments()))
