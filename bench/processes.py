"""One API process beside two on the same database, in turns, with requests of which the database is not the limit.

A rate tells what two processes are worth only where two cores are free for them, beside what the load generator and PostgreSQL
take. What a second of computing is worth holds on a busy machine as well: where it is the same for both, a core more is as
much again.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from bench.ground import Ground, free_port, server_process, wait_until_ready
from bench.harness import cpu_seconds
from bench.load import request, run_load
from bench.workloads import WORKLOADS
from goldloop.kit.embedded_postgres.processes import list_children

COUNT = 2
TURN_SECONDS = 2
WARM_UP_SECONDS = 1
BUSY = 0.8  # cores that two processes must have had for their rate to tell anything
BOUND = 1.6  # of the rate of one
PER_CPU_BOUND = 0.8  # of what a second of computing is worth: 2 × 0.8 is the bound above
PROCESSES = {"processes": f"{COUNT} API processes beside one, with /healthz, a key and a list of keys"}
HEAD = (
    f"{'processes':<16}{'1: req/s':>10}{'cores':>7}{f'{COUNT}: req/s':>10}{'cores':>7}{'ratio':>8}{'range':>14}{'per CPU s':>11}"
    f"{'busiest':>9}"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """`cores` is how much of them the server had; `shares` are the parts of it that each process had."""

    rate: float
    cores: float
    shares: tuple[float, ...]

    @property
    def per_cpu(self) -> float:
        return self.rate / self.cores


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessesRow:
    name: str
    one_rate: float
    one_cores: float
    many_rate: float
    many_cores: float
    ratio: float
    ratio_low: float
    ratio_high: float
    per_cpu: float
    busiest: float

    @property
    def held(self) -> bool:
        """By the rate where there were cores for it, and else by what they did with those that there were."""
        has_cores = self.many_cores >= BUSY * COUNT
        return self.ratio >= BOUND if has_cores else self.per_cpu >= PER_CPU_BOUND

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__} | {"held": self.held}


async def measure_processes(ground: Ground, connections: int, seconds: int) -> list[ProcessesRow]:
    port = free_port()
    with server_process(ground.folder, ground.url, port, connections, COUNT) as process:
        await wait_until_ready(process, port, ground.folder)
        many = await _api_processes(process.pid)
        rows = []
        for name in ("healthz", "key_read", "key_list_10k"):
            requests = await _requests(ground, name)
            turns: list[tuple[Turn, Turn]] = []
            for length in [WARM_UP_SECONDS, *[TURN_SECONDS] * max(1, seconds // TURN_SECONDS)]:
                alone = await _turn([ground.server_pid], ground.port, requests, connections, length)
                together = await _turn(many, port, requests, connections, length)
                turns.append((alone, together))
            rows.append(_row(name, turns[1:]))
    return rows


async def _api_processes(parent: int) -> list[int]:
    """As soon as there are all of them; what they lack then is in the turn that does not count."""
    while True:
        found = [child.pid for child in list_children(parent) if child.command.startswith("goldloop api")]
        if len(found) == COUNT:
            return found
        await asyncio.sleep(0.05)


async def _requests(ground: Ground, name: str) -> Sequence[bytes]:
    if name == "healthz":
        return [request("GET", "/healthz")]
    return (await WORKLOADS[name].prepare(ground)).requests


async def _turn(
    pids: Sequence[int], port: int, requests: Sequence[bytes], connections: int, seconds: int
) -> Turn:
    before = [cpu_seconds(pid) or 0.0 for pid in pids]
    made = await run_load(port, requests, connections, seconds)
    spent = [(cpu_seconds(pid) or 0.0) - earlier for pid, earlier in zip(pids, before, strict=True)]
    shares = tuple(each / sum(spent) for each in spent)
    return Turn(rate=made.done / made.seconds, cores=sum(spent) / made.seconds, shares=shares)


def _row(name: str, turns: Sequence[tuple[Turn, Turn]]) -> ProcessesRow:
    ratios = [many.rate / one.rate for one, many in turns]
    return ProcessesRow(
        name=name,
        one_rate=median(one.rate for one, _ in turns),
        one_cores=median(one.cores for one, _ in turns),
        many_rate=median(many.rate for _, many in turns),
        many_cores=median(many.cores for _, many in turns),
        ratio=median(ratios),
        ratio_low=min(ratios),
        ratio_high=max(ratios),
        per_cpu=median(many.per_cpu / one.per_cpu for one, many in turns),
        busiest=max(max(many.shares) for _, many in turns),
    )


def line(row: ProcessesRow) -> str:
    spread = f"{row.ratio_low:.2f}–{row.ratio_high:.2f}"
    return (
        f"{row.name:<16}{row.one_rate:>10,.0f}{row.one_cores:>7.2f}{row.many_rate:>10,.0f}{row.many_cores:>7.2f}{row.ratio:>8.2f}"
        f"{spread:>14}{row.per_cpu:>11.2f}{row.busiest:>9.0%}{'' if row.held else '  BELOW'}"
    )
