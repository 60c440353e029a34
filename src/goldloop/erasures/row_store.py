"""SQL of what an erasure does with each thing that it found: the named SQL functions that delete rows and their text."""

from collections.abc import Sequence
from uuid import UUID

from goldloop.erasures.model import ERASED
from goldloop.kit.db import Tx

BACKUP_LOCK = 0x676F6C64626B  # whoever makes a backup holds it, so that no blob goes that the dump names


async def list_logged_turns(tx: Tx, project: str, conversation_id: str, turn_id: str | None) -> list[str]:
    """Turns that have a log, here or in the blob store."""
    rows = await tx.fetch(
        """
        SELECT DISTINCT m.turn_id FROM conv_messages m WHERE m.tenant_id = $1 AND m.project = $2 AND m.conversation_id = $3
          AND m.kind = 'turn.log' AND m.turn_id IS NOT NULL AND ($4::text IS NULL OR m.turn_id = $4)
        """,
        tx.actor.tenant_id,
        project,
        conversation_id,
        turn_id,
    )
    return [row["turn_id"] for row in rows]


async def erase_conversation(tx: Tx, project: str, conversation_id: str) -> dict[str, int]:
    gone: dict[str, int] = await tx.fetchval("SELECT erase_conversation($1, $2)", project, conversation_id)
    return gone


async def erase_turn(tx: Tx, project: str, conversation_id: str, turn_id: str) -> dict[str, int]:
    gone: dict[str, int] = await tx.fetchval(
        "SELECT erase_turn($1, $2, $3)", project, conversation_id, turn_id
    )
    return gone


async def erase_reaction(tx: Tx, message_id: UUID) -> dict[str, int]:
    gone: dict[str, int] = await tx.fetchval("SELECT erase_reaction($1)", message_id)
    return gone


async def erase_session(tx: Tx, erasure_id: UUID, session_id: UUID) -> dict[str, int]:
    gone: dict[str, int] = await tx.fetchval("SELECT erase_session($1, $2)", erasure_id, session_id)
    return gone


async def erase_response(tx: Tx, response_id: UUID) -> tuple[dict[str, int], bool]:
    """How many rows went, and whether it stays as the source of what was promoted."""
    row = await tx.fetchrow("SELECT gone, kept FROM erase_response($1)", response_id)
    assert row is not None
    return row["gone"], row["kept"]


async def erase_group(tx: Tx, group_id: UUID) -> bool:
    gone: bool = await tx.fetchval("SELECT erase_group($1)", group_id)
    return gone


async def erase_quotes(tx: Tx, row_id: UUID, words: str) -> dict[str, int]:
    gone: dict[str, int] = await tx.fetchval("SELECT erase_quotes($1, $2, $3)", row_id, words, ERASED)
    return gone


async def erase_knowledge_words(tx: Tx, row_id: UUID) -> int:
    changed: int = await tx.fetchval("SELECT erase_knowledge_words($1, $2)", row_id, ERASED)
    return changed


async def scrub_sessions(
    tx: Tx, erasure_id: UUID, after: UUID, limit: int
) -> tuple[UUID | None, dict[str, int]]:
    row = await tx.fetchrow(
        "SELECT last, gone FROM scrub_sessions($1, $2, $3, $4)", erasure_id, after, limit, ERASED
    )
    assert row is not None
    return row["last"], row["gone"]


async def scrub_events(tx: Tx, erasure_id: UUID, after: UUID, limit: int) -> tuple[UUID | None, int]:
    row = await tx.fetchrow("SELECT last, gone FROM scrub_events($1, $2, $3)", erasure_id, after, limit)
    assert row is not None
    return row["last"], row["gone"]


async def scrub_queue(tx: Tx, erasure_id: UUID, job_id: UUID) -> dict[str, int]:
    gone: dict[str, int] = await tx.fetchval("SELECT scrub_queue($1, $2)", erasure_id, job_id)
    return gone


async def scrub_eval_runs(tx: Tx, golden_ids: Sequence[UUID]) -> int:
    changed: int = await tx.fetchval("SELECT scrub_eval_runs($1)", list(golden_ids))
    return changed


async def scrub_notes(tx: Tx, erasure_id: UUID) -> dict[str, int]:
    gone: dict[str, int] = await tx.fetchval("SELECT scrub_notes($1, $2)", erasure_id, ERASED)
    return gone


async def is_blob_used(tx: Tx, key: str) -> bool:
    """By an event of a session that stays: blobs of events are named by what they hold."""
    used: bool = await tx.fetchval(
        "SELECT EXISTS (SELECT FROM session_events e WHERE e.tenant_id = $1 AND e.blob = $2)",
        tx.actor.tenant_id,
        key,
    )
    return used


async def try_hold_blobs(tx: Tx) -> bool:
    """Whether blobs may be deleted until the transaction ends: not while a backup is made."""
    free: bool = await tx.fetchval("SELECT pg_try_advisory_xact_lock_shared($1)", BACKUP_LOCK)
    return free
