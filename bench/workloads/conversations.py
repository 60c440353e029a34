"""Conversations: a page of those that got reactions in a period, among few and among many, and turns taken in in bulk."""

import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from itertools import count
from typing import overload

from bench.ground import Ground, Tenant
from bench.load import request
from bench.model import Bare, Statement, Target, Varying, Workload
from bench.workloads.filling import numbered_id_sql

SIZES = {"200k": 200_000, "2m": 2_000_000}
EACH = 4  # reactions of a conversation, among those of some three hundred others
TURNS = 100  # in one call
IN_A_TURN = 1000  # requests: more than are answered in one turn, or the same would be sent twice
PROJECT = "Support"

_made: dict[tuple[int, int], Tenant] = {}


async def _fill(ground: Ground, tenant: Tenant, reactions: int) -> None:
    async with ground.superuser() as connection:
        await connection.execute(
            "SET session_replication_role = replica"
        )  # no checks of what we make ourselves
        await connection.execute("SET synchronous_commit = off")
        await connection.execute(
            """
            INSERT INTO conversations (tenant_id, project, id, user_id, title, turns, started_at, last_activity_at)
            SELECT $1, $2, 'conversation-' || c, 'user-' || c, 'Where is it?', 1, now() - interval '1 year', now()
            FROM generate_series(1, $3::bigint) c
            """,
            tenant.id,
            PROJECT,
            reactions // EACH,
        )
        await connection.execute(
            """
            INSERT INTO conv_turns (tenant_id, project, conversation_id, turn_id, ts, digest, created_by_kind)
            SELECT $1, $2, 'conversation-' || c, 'turn-' || c, now() - interval '1 year', '', 'system'
            FROM generate_series(1, $3::bigint) c
            """,
            tenant.id,
            PROJECT,
            reactions // EACH,
        )
        await connection.execute(
            f"""
            INSERT INTO conv_messages (tenant_id, id, project, conversation_id, turn_id, role, kind, tags, text, ts, payload,
                origin, reaction, confidence, end_user, state, counted_from)
            SELECT $1, {numbered_id_sql("n")}, $2, 'conversation-' || c, 'turn-' || c, 'artifact', 'turn.log.reaction',
                   ARRAY['artifact:turn.log.reaction', 'turn:turn-' || c, 'origin:user'], '[turn.log.reaction] ok',
                   m.ts, jsonb_build_object(
                       'reaction', jsonb_build_object('turn_id', 'turn-' || c, 'text', 'Ah, it worked. It was my issue.',
                           'confidence', 1.0, 'ts', m.ts, 'reaction', m.reaction, 'origin', 'user'),
                       'meta', jsonb_build_object('rn', 'ef:x:Support:conversation-' || c || ':turn-' || c || ':artifact:artifact-' || n,
                           'turn_id', 'turn-' || c, 'track_id', null, 'user_type', 'registered', 'kind', 'turn.log.reaction'),
                       'conversation_id', 'conversation-' || c, 'bundle_id', null),
                   'user', m.reaction, 1.0, 'user-' || k, 'active', m.ts
            FROM generate_series(1, $3::bigint) c, generate_series(0, {EACH - 1}) k,
            LATERAL (SELECT (c - 1) * {EACH} + k + 1 AS n,
                            timestamptz '2026-01-01' + c * interval '10 seconds' + k * interval '1000 seconds' AS ts,
                            (ARRAY['ok', 'not_ok', 'neutral'])[1 + (c + k) % 3] AS reaction) m
            """,
            tenant.id,
            PROJECT,
            reactions // EACH,
        )
        for table in ("conversations", "conv_turns", "conv_messages"):
            await connection.execute(f"VACUUM ANALYZE {table}")


def _prepare_period(reactions: int, include_turns: bool) -> Callable[[Ground], Awaitable[Target]]:
    async def prepare(ground: Ground) -> Target:
        key = (ground.server_pid, reactions)
        if key not in _made:
            tenant = await ground.make_tenant()
            await _fill(ground, tenant, reactions)
            _made[key] = tenant
        tenant = _made[key]
        async with ground.superuser() as connection:
            slug = await connection.fetchval("SELECT slug FROM tenants WHERE id = $1", tenant.id)
        window = {"start": "2026-01-01T00:00:00Z", "end": "2099-01-01T00:00:00Z"}
        body = json.dumps({**window, "include_turns": include_turns, "limit": 100}).encode()
        path = f"/conversations/{slug}/{PROJECT}/feedback/conversations-in-period"
        return Target(tenant_id=tenant.id, requests=[request("POST", path, tenant.secret, body)])

    return prepare


class _NewConversations(Sequence[bytes]):
    """Requests that never come twice: each fills a conversation of its own."""

    def __init__(self, slug: str, secret: str, body: bytes) -> None:
        self.slug, self.secret, self.body = slug, secret, body
        self.numbers = count(1)

    def _next(self) -> bytes:
        path = f"/conversations/{self.slug}/{PROJECT}/new-{next(self.numbers)}/turns"
        return request("POST", path, self.secret, self.body)

    @overload
    def __getitem__(self, place: int) -> bytes: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[bytes]: ...
    def __getitem__(self, place: int | slice) -> bytes | Sequence[bytes]:
        if isinstance(place, int):
            return self._next()
        many = place.start is not None and place.start >= 0  # what a turn of the load generator goes through
        return [self._next() for _ in range(IN_A_TURN if many else 1)]

    def __iter__(self) -> Iterator[bytes]:
        while True:
            yield self._next()

    def __len__(self) -> int:
        return 1_000_000


async def _prepare_intake(ground: Ground) -> Target:
    tenant = await ground.make_tenant()
    async with ground.superuser() as connection:
        slug = await connection.fetchval("SELECT slug FROM tenants WHERE id = $1", tenant.id)
    turns = [
        {
            "turn_id": f"turn-{n}",
            "user": {
                "text": f"Where is order number {n}, and when will it be here? It was promised for Monday."
            },
            "assistant": {
                "text": f"Order {n} left the warehouse this morning and will be with you by Tuesday. " * 2
            },
            "user_id": "user-1",
            "agent": "answer-bot",
            "ts": f"2026-01-01T{n // 60:02}:{n % 60:02}:00Z",
        }
        for n in range(TURNS)
    ]
    return Target(
        tenant_id=tenant.id, requests=_NewConversations(slug, tenant.secret, json.dumps(turns).encode())
    )


# The same rows by the plainest means, with ids that grow as ours do: no look at what is there, no marks, no event.
INSERT = """
WITH given AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($3::jsonb) AS t (turn_id text, ts timestamptz, user_text text, assistant_text text,
        user_id text, agent text, digest text)
), conversation AS (
    INSERT INTO conversations (tenant_id, project, id, user_id, agent, title, turns, started_at, last_activity_at)
    SELECT current_setting('app.tenant')::uuid, $1, $2, min(user_id), min(agent), min(user_text), count(*), min(ts), max(ts)
    FROM given
), turns AS (
    INSERT INTO conv_turns (tenant_id, project, conversation_id, turn_id, ts, user_id, agent, digest, created_by_kind)
    SELECT current_setting('app.tenant')::uuid, $1, $2, turn_id, ts, user_id, agent, decode(digest, 'hex'), 'user' FROM given
)
INSERT INTO conv_messages (tenant_id, id, project, conversation_id, turn_id, role, kind, tags, text, ts)
SELECT current_setting('app.tenant')::uuid, (lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1e6)::bigint), 16, '0')
           || substr(md5(random()::text), 1, 16))::uuid, $1, $2, g.turn_id, m.role, 'message',
       ARRAY['chat:' || m.role, 'turn:' || g.turn_id], m.text, g.ts
FROM given g, LATERAL (VALUES ('user', g.user_text), ('assistant', g.assistant_text)) AS m (role, text)
"""
NEW_CONVERSATION = Varying(sql="('new-' || :serial)", python=lambda serial, _pick: f"new-{serial}")

WORKLOADS = (
    *(
        Workload(
            name=f"period_{'turns_' if include_turns else ''}{size}",
            about=f"POST …/conversations-in-period: 100 of {reactions:,} reactions{', with turns' if include_turns else ''}",
            statements=(Statement(holds="FROM conv_messages m WHERE"),),
            prepare=_prepare_period(reactions, include_turns),
        )
        for include_turns in (False, True)
        for size, reactions in SIZES.items()
    ),
    Workload(
        name="turns_bulk",
        about=f"POST …/turns: a list of {TURNS} turns into a new conversation, beside plain inserts of the same rows",
        statements=(Statement(holds="FROM add_turns(", varying={2: NEW_CONVERSATION}),),
        prepare=_prepare_intake,
        bare=Bare(sql=INSERT, place=0),
    ),
)
