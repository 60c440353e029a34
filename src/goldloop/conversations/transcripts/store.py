"""SQL that reads conversations."""

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from goldloop.conversations.reactions.counts import counts_now, narrowed
from goldloop.kit.db import Tx


class ConversationRow(msgspec.Struct, frozen=True, kw_only=True):
    project: str
    id: str
    user_id: str | None
    agent: str | None
    agent_id: UUID | None
    title: str
    turns: int
    started_at: datetime
    last_activity_at: datetime


CONVERSATION = (
    "c.project, c.id, c.user_id, c.agent, c.agent_id, c.title, c.turns, c.started_at, c.last_activity_at"
)
AGENTS_AMONG = 5000  # of the newest conversations, so that the list costs the same with millions


async def find(tx: Tx, project: str, conversation_id: str) -> ConversationRow | None:
    row = await tx.fetchrow(
        f"SELECT {CONVERSATION} FROM conversations c WHERE c.tenant_id = $1 AND c.project = $2 AND c.id = $3",
        tx.actor.tenant_id,
        project,
        conversation_id,
    )
    return ConversationRow(**row) if row else None


class ListFilter(msgspec.Struct, frozen=True, kw_only=True):
    """What a list of conversations is narrowed by; None and empty narrow nothing."""

    project: str | None = None
    agent: str | None = None
    user_id: str | None = None
    reaction: str | None = None
    origin: str | None = None
    user_type: str | None = None
    reacted_start: datetime | None = None
    reacted_end: datetime | None = None
    start: datetime | None = None
    end: datetime | None = None
    terms: tuple[str, ...] = ()


def _with_agent(agent: str, bound: Callable[[object], str]) -> str:
    """As it was sent, which for a registered agent is its slug; or by its id in the registry."""
    sent = f"c.agent = {bound(agent)}"
    try:
        return f"({sent} OR c.agent_id = {bound(UUID(agent))})"
    except ValueError:
        return sent


def _reacted(wanted: ListFilter, bound: Callable[[object], str]) -> list[str]:
    """Conditions on one reaction that is looked for, `r`."""
    columns = {"reaction": wanted.reaction, "origin": wanted.origin, "user_type": wanted.user_type}
    conditions = narrowed("r", columns, bound)
    if wanted.reacted_start is not None:
        conditions.append(f"r.ts >= {bound(wanted.reacted_start)}")
    if wanted.reacted_end is not None:
        conditions.append(f"r.ts <= {bound(wanted.reacted_end)}")
    return conditions


async def list_newest_first(
    tx: Tx, wanted: ListFilter, before: tuple[datetime, str, str], limit: int
) -> list[ConversationRow]:
    """By their last turn. The statement holds only what is asked for."""
    arguments: list[Any] = [tx.actor.tenant_id, *before, limit]

    def bound(value: object) -> str:
        arguments.append(value)
        return f"${len(arguments)}"

    conditions = ["c.tenant_id = $1 AND (c.last_activity_at, c.project, c.id) < ($2, $3, $4)"]
    if wanted.agent is not None:
        conditions.append(_with_agent(wanted.agent, bound))
    for column, value in (("project", wanted.project), ("user_id", wanted.user_id)):
        if value is not None:
            conditions.append(f"c.{column} = {bound(value)}")
    if wanted.start is not None:
        conditions.append(f"c.last_activity_at >= {bound(wanted.start)}")
    if wanted.end is not None:
        conditions.append(f"c.last_activity_at <= {bound(wanted.end)}")
    if reacted := _reacted(wanted, bound):
        conditions.append(
            f"""EXISTS (SELECT FROM conv_messages r WHERE r.tenant_id = $1 AND r.project = c.project
                AND r.conversation_id = c.id AND {counts_now("r")} AND {" AND ".join(reacted)})"""
        )
    for term in wanted.terms:
        conditions.append(
            f"""EXISTS (SELECT FROM conversation_words w WHERE w.tenant_id = $1 AND w.project = c.project
                AND w.conversation_id = c.id AND w.word >= {bound(term)} AND w.word < {bound(term + chr(0x10FFFF))})"""
        )
    rows = await tx.fetch(
        f"""
        SELECT {CONVERSATION} FROM conversations c WHERE {" AND ".join(conditions)}
        ORDER BY c.last_activity_at DESC, c.project DESC, c.id DESC LIMIT $5
        """,
        *arguments,
    )
    return [ConversationRow(**row) for row in rows]


async def list_projects(tx: Tx) -> list[str]:
    """Every project, by one look into the index for each."""
    rows = await tx.fetch(
        """
        WITH RECURSIVE projects AS (
            (SELECT project FROM conversations WHERE tenant_id = $1 ORDER BY project LIMIT 1)
            UNION ALL
            SELECT (SELECT c.project FROM conversations c WHERE c.tenant_id = $1 AND c.project > p.project
                    ORDER BY c.project LIMIT 1)
            FROM projects p WHERE p.project IS NOT NULL
        )
        SELECT project FROM projects WHERE project IS NOT NULL LIMIT 1000
        """,
        tx.actor.tenant_id,
    )
    return [row["project"] for row in rows]


async def list_agents(tx: Tx) -> list[str]:
    """The agents of the newest conversations, by name."""
    rows = await tx.fetch(
        """
        SELECT DISTINCT c.agent FROM (
            SELECT agent FROM conversations WHERE tenant_id = $1 ORDER BY last_activity_at DESC LIMIT $2
        ) c
        WHERE c.agent IS NOT NULL ORDER BY c.agent LIMIT 1000
        """,
        tx.actor.tenant_id,
        AGENTS_AMONG,
    )
    return [row["agent"] for row in rows]
