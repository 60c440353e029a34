"""Sessions: events appended in the client's batches, beside plain inserts of the same rows; a page of one session's events
among few and among many; the newest sessions among few and among many."""

import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from hashlib import md5
from itertools import count
from typing import Any, overload

from bench.ground import Ground, Tenant
from bench.load import request
from bench.model import Bare, Statement, Target, Workload
from bench.workloads.filling import NEW_ID, numbered_id, numbered_id_sql

BATCHES = {100: 1000, 1000: 200}  # events of a call; requests of a turn, more than are answered in it
SESSIONS = 20_000  # to append to, each once
EVENTS = {"3k": 3_000, "300k": 300_000}
SIZES = {"10k": 10_000, "1m": 1_000_000}
AT = "2026-01-01T00:00:00Z"


def _payload(n: int) -> tuple[str, dict[str, Any]]:
    """An agent at work: what it is told, what it asks a model, what it calls and gets, what it says."""
    call = f"call_{md5(str(n // 5).encode()).hexdigest()[:24]}"
    text = f"Order {n} left the warehouse of Halden this morning; the carrier expects it in Oslo by Tuesday noon."
    return (
        (
            "user.message",
            {"text": f"Where is order {n}, and when will it be here? It was promised for Monday."},
        ),
        (
            "model.request",
            {"model": "openai:gpt-6", "input_tokens": 1200 + n, "output_tokens": 80, "cost": 0.0042},
        ),
        ("tool.call", {"id": call, "name": "findShipment", "arguments": {"order": n, "with_events": True}}),
        (
            "tool.result",
            {"id": call, "result": {"order": n, "status": "sent", "log": [text] * 2}, "duration_ms": 84},
        ),
        ("agent.message", {"text": text}),
    )[n % 5]


def _batch(size: int) -> bytes:
    events = [(numbered_id(n + 1), *_payload(n)) for n in range(size)]
    return json.dumps(
        [{"id": str(id), "type": kind, "payload": payload, "at": AT} for id, kind, payload in events]
    ).encode()


class _OtherSessions(Sequence[bytes]):
    """Requests that never come twice: each appends to a session of its own."""

    def __init__(self, secret: str, body: bytes, in_a_turn: int) -> None:
        self.secret, self.body, self.in_a_turn = secret, body, in_a_turn
        self.numbers = count(1)

    def _next(self) -> bytes:
        number = next(self.numbers)
        assert number <= SESSIONS, "an event that is sent twice costs less: measure for fewer seconds"
        return request("POST", f"/api/sessions/{numbered_id(number)}/events", self.secret, self.body)

    @overload
    def __getitem__(self, place: int) -> bytes: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[bytes]: ...
    def __getitem__(self, place: int | slice) -> bytes | Sequence[bytes]:
        if isinstance(place, int):
            return self._next()
        many = place.start is not None and place.start >= 0  # what a turn of the load generator goes through
        return [self._next() for _ in range(self.in_a_turn if many else 1)]

    def __iter__(self) -> Iterator[bytes]:
        while True:
            yield self._next()

    def __len__(self) -> int:
        return 1_000_000


async def _fill_sessions(ground: Ground, tenant: Tenant, rows: int, last_seq: int = 0) -> None:
    async with ground.superuser() as connection:
        await connection.execute("SET synchronous_commit = off")
        await connection.execute(
            f"""
            INSERT INTO sessions (tenant_id, id, type, status, source, agent, agent_id, input, first_message, last_seq,
                requests, tool_calls, input_tokens, output_tokens, cost, metadata, created_at, started_at, last_at, ended_at,
                created_by_kind, created_by_id)
            SELECT $1, {numbered_id_sql("n")}, 'agent', CASE WHEN $4 THEN 'running' ELSE 'completed' END, 'client',
                   'support-bot', {numbered_id_sql("1 + n % 10")}, '{{"message": "Where is my order?"}}',
                   'Where is my order?', $5, 3, 2, 1200, 300, 0.02, '{{"release": 7}}', m.at, m.at, m.at + interval '1 minute',
                   CASE WHEN $4 THEN NULL ELSE m.at + interval '1 minute' END, 'user', $2
            FROM generate_series(1, $3::bigint) n,
            LATERAL (SELECT timestamptz '2026-01-01' + n * interval '10 seconds' AS at) m
            """,
            tenant.id,
            tenant.owner_id,
            rows,
            last_seq > 0 or rows == SESSIONS,
            last_seq,
        )
        await connection.execute("VACUUM ANALYZE sessions")


async def _fill_events(ground: Ground, tenant: Tenant, events: int) -> None:
    """All in one session, among those of the others."""
    samples = json.dumps([{"type": kind, "payload": payload} for kind, payload in map(_payload, range(100))])
    async with ground.superuser() as connection:
        await connection.execute(
            "SET session_replication_role = replica"
        )  # no checks of what we make ourselves
        await connection.execute("SET synchronous_commit = off")
        await connection.execute(
            f"""
            INSERT INTO session_events (tenant_id, session_id, seq, id, type, at, payload)
            SELECT $1, {numbered_id_sql("1")}, n, {numbered_id_sql("n")}, s.sample ->> 'type',
                   timestamptz '2026-01-01' + n * interval '1 second', s.sample -> 'payload'
            FROM generate_series(1, $2::integer) n
            JOIN LATERAL (SELECT $3::jsonb -> (n % 100) AS sample) s ON true
            """,
            tenant.id,
            events,
            json.loads(samples),
        )
        await connection.execute("VACUUM ANALYZE session_events")


def _prepare_append(size: int) -> Callable[[Ground], Awaitable[Target]]:
    async def prepare(ground: Ground) -> Target:
        tenant = await ground.make_tenant()
        await _fill_sessions(ground, tenant, SESSIONS)
        return Target(
            tenant_id=tenant.id, requests=_OtherSessions(tenant.secret, _batch(size), BATCHES[size])
        )

    return prepare


def _prepare_events(events: int) -> Callable[[Ground], Awaitable[Target]]:
    async def prepare(ground: Ground) -> Target:
        tenant = await ground.make_tenant()
        await _fill_sessions(ground, tenant, 1, events)
        await _fill_events(ground, tenant, events)
        path = f"/api/sessions/{numbered_id(1)}/events?limit=200&after={events // 2}"
        return Target(tenant_id=tenant.id, requests=[request("GET", path, tenant.secret)])

    return prepare


def _prepare_list(rows: int) -> Callable[[Ground], Awaitable[Target]]:
    async def prepare(ground: Ground) -> Target:
        tenant = await ground.make_tenant()
        await _fill_sessions(ground, tenant, rows)
        return Target(tenant_id=tenant.id, requests=[request("GET", "/api/sessions?limit=50", tenant.secret)])

    return prepare


# The same rows by the plainest means, with one for their session: no look at what is there, no counts.
INSERT = """
WITH session AS (
    INSERT INTO sessions (tenant_id, id, type, status, source, agent, last_seq, created_at, started_at, last_at, created_by_kind)
    VALUES (current_setting('app.tenant')::uuid, $1, 'agent', 'running', 'client', 'support-bot', jsonb_array_length($2::jsonb),
            now(), now(), now(), 'user')
), words AS (
    INSERT INTO session_words (tenant_id, session_id, word)
    SELECT current_setting('app.tenant')::uuid, $1, w FROM unnest($3::text[]) AS w
)
INSERT INTO session_events (tenant_id, session_id, seq, id, type, at, payload, blob)
SELECT current_setting('app.tenant')::uuid, $1, g.place, g.id, g.type, g.at, g.payload, g.blob
FROM ROWS FROM (jsonb_to_recordset($2::jsonb) AS (id uuid, type text, at timestamptz, payload jsonb, blob text))
     WITH ORDINALITY AS g (id, type, at, payload, blob, place)
"""

WORKLOADS = (
    *(
        Workload(
            name=f"session_append_{size}",
            about=f"POST /api/sessions/{{id}}/events: {size} events, beside a plain insert of the same rows",
            statements=(Statement(holds="SELECT append_session_events(", varying={1: NEW_ID}),),
            prepare=_prepare_append(size),
            bare=Bare(sql=INSERT, place=0),
        )
        for size in BATCHES
    ),
    *(
        Workload(
            name=f"session_events_{size}",
            about=f"GET /api/sessions/{{id}}/events?limit=200 from the middle of {events:,} events",
            statements=(Statement(holds="FROM session_events e WHERE"),),
            prepare=_prepare_events(events),
        )
        for size, events in EVENTS.items()
    ),
    *(
        Workload(
            name=f"sessions_{size}",
            about=f"GET /api/sessions?limit=50 among {rows:,} sessions",
            statements=(Statement(holds="FROM sessions s WHERE s.tenant_id ="),),
            prepare=_prepare_list(rows),
        )
        for size, rows in SIZES.items()
    ),
)
