"""How long `/healthz` takes while one workspace has the costliest content checked that is accepted, over and over.

    python tools/validation_beside_healthz.py http://127.0.0.1:8400 KEY

KEY is that of an administrator of a workspace made for this. Prints the median, the 99th percentile and the slowest, in
milliseconds: by itself, and beside each kind of load.
"""

import asyncio
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import httpx

SECONDS = 10.0
PAUSE = 0.01  # between two looks
CLIENTS = 6  # more than one workspace may have waiting


def _doubling(levels: int) -> dict[str, Any]:
    each = {f"d{n}": {"anyOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(levels)}
    return {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/d0"}, "b": {"items": {"$ref": "#/$defs/d0"}}},
        "$defs": {**each, f"d{levels}": {"type": "string"}},
    }


def _wide() -> dict[str, Any]:
    fields = {f"g{n}": {"type": "string"} for n in range(40)}
    return {
        "type": "object",
        "properties": {f"f{n}": {"type": "object", "properties": fields} for n in range(190)},
    }


LOADS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a chain of anyOf, one wrong value": (_doubling(10), {"a": 1}),
    "a chain of anyOf, ten thousand wrong values": (_doubling(9), {"b": [1] * 10_000}),
    "lookaround on long text": (
        {"type": "object", "properties": {"a": {"pattern": r"^(?=(a+)+$)\1*b"}}},
        {"a": "a" * 200_000 + "!"},
    ),
    "a wide schema": (_wide(), {"f1": {"g1": 1}}),
}


async def _look(client: httpx.AsyncClient, until: Callable[[], bool]) -> list[float]:
    took = []
    while not until():
        began = time.perf_counter()
        (await client.get("/healthz")).raise_for_status()
        took.append((time.perf_counter() - began) * 1000)
        await asyncio.sleep(PAUSE)
    return sorted(took)


async def _repeat(work: Callable[[], Awaitable[httpx.Response]], until: Callable[[], bool]) -> list[int]:
    return [(await work()).status_code for _ in iter(until, True)]


async def _measure(name: str, client: httpx.AsyncClient, works: list[Any]) -> None:
    end = time.monotonic() + SECONDS

    def until() -> bool:
        return time.monotonic() > end

    answers = asyncio.gather(*(_repeat(work, until) for work in works))
    took = await _look(client, until)
    counted = Counter(code for codes in await answers for code in codes)
    middle, high = took[len(took) // 2], took[int(len(took) * 0.99)]
    print(
        f"{name:55} median {middle:6.1f}  p99 {high:6.1f}  slowest {took[-1]:6.1f}  answers {dict(counted)}"
    )


async def main(url: str, key: str) -> None:
    headers = {"Authorization": f"Bearer {key}"}
    async with httpx.AsyncClient(base_url=url, headers=headers, timeout=60) as client:
        await _measure("nothing else", client, [])
        for number, (name, (schema, content)) in enumerate(LOADS.items()):
            new = {"slug": f"load-{number}", "name": name, "json_schema": schema}
            (await client.post("/api/entity-types", json=new)).raise_for_status()
            record = {"type": new["slug"], "title": "x", "content": content}
            works = [lambda record=record: client.post("/api/entities", json=record)] * CLIENTS
            await _measure(name, client, works)
            again = {"json_schema": schema | {"title": "again"}, "slug": new["slug"], "name": "x"}
            await _measure(
                f"{name}, defined", client, [lambda again=again: client.post("/api/entity-types", json=again)]
            )


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
