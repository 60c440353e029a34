"""Feedback: the first page of what waits for a review, among few and among many; a reaction with the feedback that it is, and
in a workspace where none is made of it, as it was before there was feedback."""

import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from itertools import count
from typing import overload

from bench.ground import Ground, Tenant
from bench.load import request
from bench.model import Statement, Target, Varying, Workload
from bench.workloads.filling import NEW_ID, numbered_id_sql

SIZES = {"10k": 10_000, "1m": 1_000_000}
TURNS = 1000  # that reactions are given to, each by another end user
IN_A_TURN = 4000  # requests: more than are answered in one turn
PROJECT = "Support"
PAGE = Statement(holds="FROM feedback f WHERE")
GROUPS = Statement(holds="FROM feedback_groups g WHERE")
MEMBERS = 5  # of a group


async def _fill(ground: Ground, tenant: Tenant, rows: int, grouped: bool = False) -> None:
    group = numbered_id_sql(f"(1 + (n - 1) / {MEMBERS})") if grouped else "NULL::uuid"
    async with ground.superuser() as connection:
        await connection.execute("SET session_replication_role = replica")
        await connection.execute("SET synchronous_commit = off")
        await connection.execute(
            f"""
            INSERT INTO feedback (tenant_id, id, source_type, rating, comment, context, created_at, created_by_kind, updated_at,
                source_key, project, conversation_id, turn_id, origin_actor, origin_artefact, placed_at, group_id)
            SELECT $1, {numbered_id_sql("n")}, CASE WHEN n % 10 = 0 THEN 'session' ELSE 'chat' END,
                   (ARRAY['positive', 'negative', 'neutral'])[1 + n % 3], 'It took a while, and the year was wrong',
                   jsonb_build_object('conversation_id', 'c' || n, 'turn_id', 't'), now() - n * interval '1 second', 'user', now(),
                   'bench:' || n, $2, 'c' || n, 't', 'end_user:' || n % 1000, 'turn:' || n, now(), {group}
            FROM generate_series(1, $3::bigint) n
            """,
            tenant.id,
            PROJECT,
            rows,
        )
        await connection.execute("VACUUM ANALYZE feedback")


async def _fill_groups(ground: Ground, tenant: Tenant, rows: int) -> None:
    """Of all feedback; one in four was reviewed as a whole."""
    async with ground.superuser() as connection:
        await connection.execute("SET session_replication_role = replica")
        await connection.execute("SET synchronous_commit = off")
        await connection.execute(
            f"""
            INSERT INTO feedback_groups (tenant_id, id, kind, rating, block, title, members, pending, origins, cohesion, proposed,
                sources, by_day, weight, first_at, last_at, created_at)
            SELECT $1, {numbered_id_sql("n")}, 'wording', 'negative', 'negative||', 'year · wrong', $3, (n % 4 > 0)::int * $3, $3,
                   0.6, true, ARRAY['chat'], jsonb_build_object('2026-01-01', 3), (1 + n % 997) / 100.0, now(), now(), now()
            FROM generate_series(1, $2::bigint) n
            """,
            tenant.id,
            rows // MEMBERS,
            MEMBERS,
        )
        await connection.execute("VACUUM ANALYZE feedback_groups")


def _prepare_groups(rows: int) -> Callable[[Ground], Awaitable[Target]]:
    async def prepare(ground: Ground) -> Target:
        tenant = await ground.make_tenant()
        await _fill(ground, tenant, rows, grouped=True)
        await _fill_groups(ground, tenant, rows)
        path = "/api/feedback/groups?waits=true&limit=50"
        return Target(tenant_id=tenant.id, requests=[request("GET", path, tenant.secret)])

    return prepare


def _prepare_page(rows: int) -> Callable[[Ground], Awaitable[Target]]:
    async def prepare(ground: Ground) -> Target:
        tenant = await ground.make_tenant()
        await _fill(ground, tenant, rows)
        path = "/api/feedback?status=pending&limit=50"
        return Target(tenant_id=tenant.id, requests=[request("GET", path, tenant.secret)])

    return prepare


class _Reactions(Sequence[bytes]):
    """Requests that never come twice: each is the reaction of another end user."""

    def __init__(self, slug: str, secret: str) -> None:
        self.slug, self.secret, self.numbers = slug, secret, count(1)

    def _next(self) -> bytes:
        number = next(self.numbers)
        path = f"/conversations/{self.slug}/{PROJECT}/c/turns/turn-{1 + number % TURNS}/feedback"
        return request(
            "POST", path, self.secret, json.dumps({"reaction": "not_ok", "user_id": f"u-{number}"}).encode()
        )

    @overload
    def __getitem__(self, place: int) -> bytes: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[bytes]: ...
    def __getitem__(self, place: int | slice) -> bytes | Sequence[bytes]:
        if isinstance(place, int):
            return self._next()
        many = place.start is not None and place.start >= 0
        return [self._next() for _ in range(IN_A_TURN if many else 1)]

    def __iter__(self) -> Iterator[bytes]:
        while True:
            yield self._next()

    def __len__(self) -> int:
        return 1_000_000


SIGNATURE = "uuid, uuid, text, text, text, text, text, text, text, text, text, text, boolean, text"


async def _leave_out(ground: Ground, tenant: Tenant) -> None:
    """From now on no feedback is made of reactions in this workspace."""
    numbered = ", ".join(f"${place}" for place in range(1, 15))
    async with ground.superuser() as connection:
        await connection.execute("ALTER FUNCTION take_in_reaction RENAME TO take_in_reaction_whole")
        await connection.execute(
            f"""
            CREATE FUNCTION take_in_reaction({SIGNATURE}) RETURNS jsonb LANGUAGE plpgsql AS $$
            BEGIN
                IF current_setting('app.tenant') = '{tenant.id}' THEN RETURN NULL; END IF;
                RETURN public.take_in_reaction_whole({numbered});
            END $$
            """
        )


def _prepare_reaction(alone: bool) -> Callable[[Ground], Awaitable[Target]]:
    async def prepare(ground: Ground) -> Target:
        tenant = await ground.make_tenant()
        async with ground.superuser() as connection:
            slug = await connection.fetchval("SELECT slug FROM tenants WHERE id = $1", tenant.id)
            await connection.execute(
                """
                INSERT INTO conversations (tenant_id, project, id, user_id, agent, title, turns, started_at, last_activity_at)
                VALUES ($1, $2, 'c', 'u', 'answer-bot', 'Where is it?', $3, now(), now())
                """,
                tenant.id,
                PROJECT,
                TURNS,
            )
            await connection.execute(
                """
                INSERT INTO conv_turns (tenant_id, project, conversation_id, turn_id, ts, digest, created_by_kind)
                SELECT $1, $2, 'c', 'turn-' || n, now(), '', 'system' FROM generate_series(1, $3::integer) n
                """,
                tenant.id,
                PROJECT,
                TURNS,
            )
        if alone:
            await _leave_out(ground, tenant)
        return Target(tenant_id=tenant.id, requests=_Reactions(slug, tenant.secret), rows=TURNS)

    return prepare


_PAYLOAD = {
    "reaction": {"turn_id": "t", "text": None, "confidence": 1.0, "ts": "2026-01-01T00:00:00Z", "reaction": "not_ok", "origin": "user"},
    "meta": {"rn": "@", "turn_id": "t", "track_id": None, "user_type": "end_user", "kind": "turn.log.reaction"},
    "conversation_id": "c",
    "bundle_id": None,
}  # fmt: skip
_HEAD, _TAIL = json.dumps(_PAYLOAD).split("@")
EVENT_ID = Varying(
    sql="('01a' || lpad(to_hex(:serial::bigint), 29, '0'))::uuid",
    python=lambda serial, _: f"01a{serial:029x}",
)
REACT = Statement(
    holds="FROM react(",
    varying={
        3: Varying(sql="('turn-' || :pick)", python=lambda _serial, pick: f"turn-{pick}"),
        4: Varying(sql="('other-' || :serial)", python=lambda serial, _pick: f"other-{serial}"),
        6: NEW_ID,
        7: NEW_ID,
        13: Varying(
            sql=f"('{_HEAD}ef:' || :serial || '{_TAIL}')::jsonb",
            python=lambda serial, _pick: json.loads(f"{_HEAD}ef:{serial}{_TAIL}"),
        ),
        15: NEW_ID,
        16: EVENT_ID,
    },
)

# Whether knowledge rests on what this person said of the same before.
RECOUNT = (
    Statement(holds="SELECT clock_timestamp()"),
    Statement(holds="SET LOCAL app.feedback = 'open'"),
    Statement(holds="WITH concerned AS"),
    Statement(holds="SET LOCAL app.feedback = ''"),
)

WORKLOADS = (
    *(
        Workload(
            name=f"feedback_pending_{size}",
            about=f"GET /api/feedback?status=pending&limit=50 among {rows:,} rows",
            statements=(PAGE,),
            prepare=_prepare_page(rows),
        )
        for size, rows in SIZES.items()
    ),
    *(
        Workload(
            name=f"feedback_groups_{size}",
            about=f"GET /api/feedback/groups?waits=true&limit=50 among {rows // MEMBERS:,} groups of {rows:,} rows",
            statements=(GROUPS,),
            prepare=_prepare_groups(rows),
        )
        for size, rows in SIZES.items()
    ),
    Workload(
        name="reaction",
        about="POST …/turns/{turn_id}/feedback: a reaction and the feedback that it is",
        statements=(REACT, *RECOUNT),
        prepare=_prepare_reaction(alone=False),
    ),
    Workload(
        name="reaction_alone",
        about="the same in a workspace where no feedback is made of it: at most 1.3 times faster",
        statements=(REACT,),
        prepare=_prepare_reaction(alone=True),
    ),
)
