"""One record, one conversation and one group of feedback that are much larger than all others of their kind."""

from typing import Any
from uuid import UUID

from bench.ground import Ground
from bench.growing.requests import Ids

RESPONSES, REACTIONS, FEEDBACK = 100_000, 10_000, 50_000
PERSON = "('01b' || lpad(to_hex(n::bigint), 29, '0'))::uuid"
WHEN = "now() - interval '100 days' + n * interval '10 seconds'"  # before what reports of the last weeks are about


async def make_giants(ground: Ground, ids: Ids) -> None:
    """Of the copies that `ids` says are written to."""
    async with ground.superuser() as connection:
        await connection.execute("SET session_replication_role = replica")
        await connection.execute("SET synchronous_commit = off")
        await _repeat(
            connection,
            "entity_responses",
            RESPONSES,
            f"WHERE o.id = '{ids['response']}'",
            id=PERSON,
            entity_id=f"'{ids['to_entity']}'::uuid",
            submitted_by_user=PERSON,
            submitted_by_agent="NULL",
            status="'submitted'",
            promoted_fields="'{}'",
            reviewed_by="NULL",
            reviewed_by_kind="NULL",
            reviewed_at="NULL",
            withdrawn_at="NULL",
            parent_response_id="NULL",
            normalized_score="n % 5 / 4.0",
            weighted_score="1 + n % 5",
            created_at=WHEN,
        )
        await _repeat(
            connection,
            "conv_messages",
            REACTIONS,
            "WHERE o.origin = 'user' AND o.state = 'active' ORDER BY o.id LIMIT 1",
            id=PERSON,
            project=f"'{ids['project']}'",
            conversation_id=f"'{ids['to_conversation']}'",
            turn_id=f"'{ids['turn']}'",
            end_user="'one of many ' || n",
            ts=WHEN,
        )
        await _repeat(
            connection,
            "feedback",
            FEEDBACK,
            f"WHERE o.group_id = '{ids['group']}' ORDER BY o.id LIMIT 1",
            id=PERSON,
            group_id=f"'{ids['to_group']}'::uuid",
            source_key="'one of many ' || n",
            origin_artefact="'one of many ' || n",
            status="'pending'",
            created_at=WHEN,
        )
        await connection.execute(
            f"""
            INSERT INTO feedback_words (tenant_id, feedback_id, word)
            SELECT f.tenant_id, {PERSON}, 'the' FROM (SELECT DISTINCT tenant_id FROM first.feedback) f, generate_series(1, {FEEDBACK}) n
            """
        )
        await connection.execute(
            "UPDATE feedback_groups SET members = members + $2, pending = pending + $2 WHERE id = $1",
            UUID(ids["to_group"]),
            FEEDBACK,
        )


async def _repeat(connection: Any, table: str, times: int, which: str, **other: str) -> None:
    """A row of the first ones so many times, with other values."""
    rows = await connection.fetch(
        """
        SELECT a.attname AS name FROM pg_attribute a
        WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND a.attidentity = ''
        """,
        table,
    )
    names = [row["name"] for row in rows]
    values = ", ".join(other.get(name, f'o."{name}"') for name in names)
    await connection.execute(
        f"""
        INSERT INTO {table} ({", ".join(f'"{name}"' for name in names)})
        SELECT {values} FROM (SELECT * FROM first.{table} o {which}) o, generate_series(1, {times}) n
        """
    )
