"""Spans over HTTP with a durable answer, beside COPY of the same spans as rows of jsonb; and how fast they become sessions.

What is compared is the time that processes compute, for a span: the server's and PostgreSQL's on one side, the client's and
PostgreSQL's on the other, in turns. On a busy machine that is the figure to trust; rates are shown beside it.
"""

import asyncio
import gzip
import os
import re
import secrets
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

import msgspec
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from bench.ground import Ground
from bench.harness import cpu_seconds
from bench.load import run_load
from goldloop.jobs.marks import MarkRunner
from goldloop.kit.db import WORKER_ROLE, connect, open_database
from goldloop.kit.queue import MARKS
from goldloop.otlp import protobuf_decoding
from goldloop.outside import outside_of
from tests.otlp.hostile import SESSIONS as HOSTILE_SESSIONS
from tests.otlp.hostile import SPANS as HOSTILE_SPANS
from tests.otlp.hostile import hostile_request

CAPTURES = Path(__file__).parents[1] / "tests" / "data" / "otlp"
KINDS = {"large": "pydantic-ai", "small": "otel-genai-openai"}  # some 6 and 1.3 kB a span
SESSION = b"conv-1234"  # of all captures: each request is given one of its own
COPY_ROWS = 1000  # of one COPY
SLICE_SECONDS = 2
DERIVED = 300  # requests whose spans become sessions
HOSTILE_TENANTS, HOSTILE_REQUESTS = 200, 10
HOSTILE_MARKS = (
    "otlp.spread",
    "otlp.derive",
    "otlp.derive_later",
    "otlp.derive_large",
    "otlp.derive_large_later",
    "otlp.settle",
)
BOUNDS = {10: 2.0, 100: 1.0}  # times the CPU of COPY that a span may cost, by spans a request
HEAD = f"{'spans':<28}{'spans/s':>10}{'p50 ms':>9}{'p99 ms':>9}{'CPU us/span':>13}{'COPY us/span':>14}{'ratio':>8}{'range':>14}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpansRow:
    name: str
    rate: float
    p50: float
    p99: float
    cpu_us: float
    copy_us: float | None
    ratio: float | None
    ratio_low: float | None
    ratio_high: float | None
    bound: float | None

    @property
    def held(self) -> bool:
        return self.bound is None or self.ratio is None or self.ratio <= self.bound

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__} | {"held": self.held}


SPANS = {
    "spans-10": "Spans over HTTP, 10 a request, beside COPY of the same as jsonb rows",
    "spans-100": "The same, 100 a request",
    "spans-derive": "From stored spans to sessions, in one worker",
    "spans-hostile": "100,000 spans of 200 workspaces with the same ids, broken ones among them, to sessions",
}


def _head(secret: str, *, packed: bool) -> bytes:
    return (
        f"POST /v1/traces HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {secret}\r\n"
        f"Content-Type: application/x-protobuf\r\n{'Content-Encoding: gzip' if packed else 'Accept: */*'}\r\n"
    ).encode()


class _Requests(Iterator[bytes]):
    """Requests of so many spans that never come twice: each time the traces have other ids."""

    def __init__(self, capture: str, spans: int, secret: str, packed: bool) -> None:
        made = batch(capture, spans)
        self.body = made.SerializeToString()
        self.trace_ids = sorted({trace_id for trace_id, _ in protobuf_decoding.span_ids(made)})
        self.packed = packed
        self.head = _head(secret, packed=packed)

    def __next__(self) -> bytes:
        body = self.body
        for trace_id in self.trace_ids:
            body = body.replace(trace_id, secrets.token_bytes(16))
        body = body.replace(SESSION, secrets.token_hex(5)[: len(SESSION)].encode())
        if self.packed:
            body = gzip.compress(body, 1)
        return b"%sContent-Length: %d\r\n\r\n%s" % (self.head, len(body), body)


def _file(capture: str) -> Path:
    (file,) = (CAPTURES / capture).glob("*-traces.pb")
    return file


def _count(request: ExportTraceServiceRequest) -> int:
    return sum(len(scope.spans) for resource in request.resource_spans for scope in resource.scope_spans)


def batch(capture: str, spans: int) -> ExportTraceServiceRequest:
    """Spans as they were captured, repeated with other ids until there are enough."""
    file = _file(capture)
    made = ExportTraceServiceRequest()
    count = 0
    while count < spans:
        again = ExportTraceServiceRequest.FromString(file.read_bytes())
        ids: dict[bytes, bytes] = {}
        for resource in again.resource_spans:
            for scope in resource.scope_spans:
                del scope.spans[max(0, spans - count) :]
                count += len(scope.spans)
                for span in scope.spans:
                    span.trace_id = ids.setdefault(span.trace_id, secrets.token_bytes(16))
        made.resource_spans.extend(again.resource_spans)
    return made


async def measure_spans(
    ground: Ground, spans: int, size: str, connections: int, seconds: int, *, packed: bool
) -> SpansRow:
    tenant = await ground.make_tenant()
    requests = _Requests(KINDS[size], spans, tenant.secret, packed)
    rows = _rows(KINDS[size])
    postgres = _postmaster(ground)
    http: list[tuple[float, float]] = []  # CPU and spans
    latencies: list[float] = []
    rates: list[float] = []
    copied: list[float] = []
    async with _copy_table(ground, size) as (connection, table):
        for turn in range(max(2, seconds // SLICE_SECONDS) + 1):
            cpu, done, slice_ = await _http_turn(ground, connection, postgres, requests, connections)
            copy_us = await _copy_turn(connection, table, rows, postgres)
            if turn == 0:
                continue  # to warm up
            http.append((cpu, done * spans))
            latencies += slice_.latencies
            rates.append(done * spans / slice_.seconds)
            copied.append(copy_us)
    costs = [1e6 * cpu / done for cpu, done in http]
    ratios = [cost / copy for cost, copy in zip(costs, copied, strict=True)]
    ordered = sorted(latencies)
    return SpansRow(
        name=f"spans-{spans} {size}, {'gzip' if packed else 'plain'}",
        rate=median(rates),
        p50=1000 * ordered[len(ordered) // 2],
        p99=1000 * ordered[int(len(ordered) * 0.99)],
        cpu_us=median(costs),
        copy_us=median(copied),
        ratio=median(ratios),
        ratio_low=min(ratios),
        ratio_high=max(ratios),
        bound=BOUNDS[spans],
    )


async def _http_turn(
    ground: Ground, connection: Any, postgres: int, requests: _Requests, connections: int
) -> tuple[float, int, Any]:
    """Each turn pays for the checkpoint of what it wrote, else the next one would."""
    before = _cpu(ground.server_pid) + tree_cpu(postgres)
    slice_ = await run_load(ground.port, requests, connections, SLICE_SECONDS)
    await connection.execute("CHECKPOINT")
    return _cpu(ground.server_pid) + tree_cpu(postgres) - before, slice_.done, slice_


def _cpu(pid: int) -> float:
    found = cpu_seconds(pid)
    if found is None:
        raise RuntimeError("this system does not say how long a process computed")
    return found


def _postmaster(ground: Ground) -> int:
    found = next((ground.folder / "data").rglob("postmaster.pid"))
    return int(found.read_text().splitlines()[0])


def tree_cpu(postmaster: int) -> float:
    """Of PostgreSQL and all its processes, those included that have ended. Read again where one ended meanwhile: it would be
    counted twice or not at all."""
    while True:
        pids, ticks = _tree(postmaster)
        if pids == _tree(postmaster)[0]:
            return ticks / os.sysconf("SC_CLK_TCK")


def _tree(postmaster: int) -> tuple[set[int], int]:
    pids: set[int] = set()
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(stat.parent.name) == postmaster:
            ticks += sum(int(fields[place]) for place in (11, 12, 13, 14))
        elif int(fields[1]) == postmaster:
            ticks += int(fields[11]) + int(fields[12])
            pids.add(int(stat.parent.name))
    return pids, ticks


@cache
def _rows(capture: str) -> list[tuple[bytes, datetime, bytes]]:
    """Spans as a store of rows would have them: a key beside all of it as JSON."""
    found = []
    request = batch(capture, COPY_ROWS)
    for trace_id in {trace_id for trace_id, _ in protobuf_decoding.span_ids(request)}:
        for span in protobuf_decoding.read_spans(request, trace_id):
            content = b"\x01" + msgspec.json.encode(
                span._asdict(), enc_hook=repr
            )  # as the driver sends jsonb
            found.append((span.span_id.encode(), datetime.now(UTC), content))
    return found


class _copy_table:
    """A table of one row a span, with a primary key, whose jsonb is not compressed again."""

    def __init__(self, ground: Ground, size: str) -> None:
        self.ground, self.size = ground, size

    async def __aenter__(self) -> tuple[Any, str]:
        self.connection = await connect(self.ground.superuser_url)
        await self.connection.set_type_codec(
            "jsonb", schema="pg_catalog", encoder=bytes, decoder=bytes, format="binary"
        )
        table = f"bench_spans_{self.size}"
        await self.connection.execute(
            f"""
            DROP TABLE IF EXISTS {table};
            CREATE TABLE {table} (tenant_id uuid, trace_id bytea, span_id bytea, at timestamptz, span jsonb,
                PRIMARY KEY (tenant_id, trace_id, span_id));
            ALTER TABLE {table} ALTER COLUMN span SET STORAGE EXTERNAL;
            ALTER TABLE {table} SET (autovacuum_enabled = false)
            """
        )
        return self.connection, table

    async def __aexit__(self, *_: object) -> None:
        await self.connection.close()


async def _copy_turn(connection: Any, table: str, rows: Sequence[Any], postgres: int) -> float:
    """Microseconds of CPU for a span, of this process and of PostgreSQL."""
    tenant = "00000000-0000-0000-0000-000000000001"
    before, own, done = tree_cpu(postgres), time.process_time(), 0
    until = time.perf_counter() + SLICE_SECONDS
    while time.perf_counter() < until:
        fresh = secrets.token_bytes(16)
        records = [(tenant, fresh, b"%d%s" % (n, row[0]), row[1], row[2]) for n, row in enumerate(rows)]
        await connection.copy_records_to_table(
            table, records=records, columns=["tenant_id", "trace_id", "span_id", "at", "span"]
        )
        done += len(records)
    await connection.execute("CHECKPOINT")
    return 1e6 * (tree_cpu(postgres) - before + time.process_time() - own) / done


async def measure_derivation(ground: Ground, size: str, settings: Any) -> SpansRow:
    """A conversation of three turns in each request, then what one worker makes of them: this process, as one would be."""
    tenant = await ground.make_tenant()
    whole = _count(ExportTraceServiceRequest.FromString(_file(KINDS[size]).read_bytes()))
    requests = _Requests(KINDS[size], whole, tenant.secret, packed=True)
    await _send(ground, islice(requests, DERIVED))
    postgres = _postmaster(ground)
    outside = outside_of(settings, b"a secret of the bench")
    async with open_database(ground.url, role=WORKER_ROLE, size=8) as db:
        runner = MarkRunner(db, outside)
        async with ground.superuser() as connection:
            await connection.execute("UPDATE marks SET due_at = now() WHERE kind = 'otlp.spread'")
        before, own, begin = tree_cpu(postgres), time.process_time(), time.perf_counter()
        await runner.drain(MARKS["otlp.spread"])
        done = await asyncio.gather(*(runner.drain(MARKS["otlp.derive"]) for _ in range(4)))
        seconds = time.perf_counter() - begin
        cpu = tree_cpu(postgres) - before + time.process_time() - own
    spans = DERIVED * whole
    return SpansRow(
        name=f"spans-derive {size}",
        rate=spans / seconds,
        p50=1000 * seconds / max(1, sum(done)),
        p99=0.0,
        cpu_us=1e6 * cpu / spans,
        copy_us=None,
        ratio=None,
        ratio_low=None,
        ratio_high=None,
        bound=None,
    )


async def measure_hostile(ground: Ground, settings: Any) -> SpansRow:
    """Fails where a request is refused, a session is missing, or a workspace has what another one sent."""
    tenants = [await ground.make_tenant() for _ in range(HOSTILE_TENANTS)]
    postgres = _postmaster(ground)
    before, own, begin = (
        tree_cpu(postgres) + _cpu(ground.server_pid),
        time.process_time(),
        time.perf_counter(),
    )
    for tenant in tenants:
        bodies = [
            hostile_request(tenant.id.hex, number, megabyte=number == 0).SerializeToString()
            for number in range(HOSTILE_REQUESTS)
        ]
        head = _head(tenant.secret, packed=False)
        await _send(ground, (b"%sContent-Length: %d\r\n\r\n%s" % (head, len(body), body) for body in bodies))
    async with (
        open_database(ground.url, role=WORKER_ROLE, size=8) as db,
        ground.superuser() as connection,
    ):
        runner = MarkRunner(db, outside_of(settings, b"a secret of the bench"))
        while await connection.fetchval(
            "SELECT count(*) FROM marks WHERE kind LIKE 'otlp.%' AND kind <> 'otlp.watch'"
        ):
            await connection.execute("UPDATE marks SET due_at = now() WHERE kind LIKE 'otlp.%'")
            for kind in HOSTILE_MARKS:
                await asyncio.gather(*(runner.drain(MARKS[kind]) for _ in range(4)))
        await _check_hostile(connection, [tenant.id for tenant in tenants])
    spans = HOSTILE_TENANTS * HOSTILE_REQUESTS * HOSTILE_SPANS
    seconds = time.perf_counter() - begin
    cpu = tree_cpu(postgres) + _cpu(ground.server_pid) - before + time.process_time() - own
    return SpansRow(
        name="spans-hostile",
        rate=spans / seconds,
        p50=0.0,
        p99=0.0,
        cpu_us=1e6 * cpu / spans,
        copy_us=None,
        ratio=None,
        ratio_low=None,
        ratio_high=None,
        bound=None,
    )


async def _check_hostile(connection: Any, tenants: list[Any]) -> None:
    """Every body is there and was read; every workspace has the sessions that it sent, and nothing that another said."""
    stored = await connection.fetch(
        """
        SELECT b.tenant_id, count(*) FILTER (WHERE b.is_spread) AS read,
               (SELECT count(*) FROM otel_traces t WHERE t.tenant_id = b.tenant_id) AS traces
        FROM otel_batches b WHERE b.tenant_id = ANY ($1) GROUP BY b.tenant_id
        """,
        tenants,
    )
    traces = HOSTILE_REQUESTS * (HOSTILE_SESSIONS + 1)  # one of each request holds nothing but noise
    lost = [row for row in stored if (row["read"], row["traces"]) != (HOSTILE_REQUESTS, traces)]
    if lost or len(stored) != len(tenants):
        raise RuntimeError(f"{len(stored)} workspaces have what they sent, {len(lost)} of them not all of it")
    if failed := await connection.fetchval("SELECT count(*) FROM marks WHERE attempts > 0"):
        raise RuntimeError(f"{failed} traces could not be derived")
    rows = await connection.fetch(
        """
        SELECT s.tenant_id, count(DISTINCT s.id) AS sessions,
               count(*) FILTER (WHERE e.payload ->> 'text' = replace(s.tenant_id::text, '-', '') || ' asks') AS own,
               count(*) AS messages
        FROM sessions s JOIN session_events e ON e.tenant_id = s.tenant_id AND e.session_id = s.id AND e.type = 'user.message'
        WHERE s.tenant_id = ANY ($1) GROUP BY s.tenant_id
        """,
        tenants,
    )
    wanted = HOSTILE_REQUESTS * HOSTILE_SESSIONS
    wrong = [row for row in rows if (row["sessions"], row["own"], row["messages"]) != (wanted,) * 3]
    if wrong or len(rows) != len(tenants):
        raise RuntimeError(
            f"{len(rows)} workspaces have sessions, {len(wrong)} of them others than they sent"
        )


async def _send(ground: Ground, requests: Iterable[bytes]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", ground.port)
    for request in requests:
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        if b" 200 " not in head.split(b"\r\n")[0] + b" ":
            raise RuntimeError(head.decode())
        (length,) = re.findall(rb"content-length: (\d+)", head)
        await reader.readexactly(int(length))
    writer.close()


def line(row: SpansRow) -> str:
    beside = (
        f"{row.copy_us:>14.1f}{row.ratio:>8.2f}{f'{row.ratio_low:.2f}–{row.ratio_high:.2f}':>14}"
        if row.ratio
        else ""
    )
    verdict = "" if row.bound is None else f"  at most {row.bound:g}: {'held' if row.held else 'NOT held'}"
    return (
        f"{row.name:<28}{row.rate:>10,.0f}{row.p50:>9.1f}{row.p99:>9.1f}{row.cpu_us:>13.1f}{beside}{verdict}"
    )
