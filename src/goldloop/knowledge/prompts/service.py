"""Use cases of prompts: the block of a scope, of a run, and what a prompt held."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.entities.model import EntityTypeNotFound
from goldloop.entities.records import store as records
from goldloop.entities.types import store as types
from goldloop.kit.at_first_use import np
from goldloop.kit.db import Tx
from goldloop.kit.errors import InvalidInput
from goldloop.kit.events import Event
from goldloop.knowledge.memories import service as memories
from goldloop.knowledge.model import KnowledgeState, KnowledgeType, ManifestNotFound, MeasuredValue
from goldloop.knowledge.permissions import KNOWLEDGE_READ
from goldloop.knowledge.printing import (
    PrintedRow,
    cost_of,
    manifest_of,
    memories_in,
    name_of,
    without_memories,
)
from goldloop.knowledge.prompts import citation_store, store
from goldloop.knowledge.prompts.store import Head, PresentRow, StoredManifest
from goldloop.knowledge.ranking import tokens_of
from goldloop.knowledge.selection import PER_TYPE, IncludedRow, LeftOutRows, Scope, describe, left_out, select
from goldloop.runtimes.model import Prompt, RunPlan
from goldloop.sessions import run_service as sessions
from goldloop.sessions import service as recorded
from goldloop.tenants.agents import store as agents
from goldloop.tenants.model import AgentNotFound

FOR_TASK = 3  # rows that are chosen for a task beside those that stay
TASK_COSINE = 0.35  # from which on a row is about a task
MOST_COMPARED = 100  # rows of each type and scope that a task is compared with


class SharedContextPrompt(msgspec.Struct, frozen=True, kw_only=True):
    """`prompt` goes into an agent's instructions, and `manifest` is what its session names. Both are "" and null where nothing
    was learnt for this scope."""

    prompt: str
    manifest: str | None
    tokens: int
    rows: list[IncludedRow]
    left_out: LeftOutRows


class WrittenPrompt(msgspec.Struct, frozen=True, kw_only=True):
    """The JSON of a `SharedContextPrompt`, most of it as the database has it."""

    prompt: str
    manifest: str | None
    tokens: int
    rows: msgspec.Raw
    left_out: msgspec.Raw


class Task(NamedTuple):
    """What an agent is to do, as a vector of a model."""

    model: str
    vector: Sequence[float]


async def resolve_scope(tx: Tx, agent: str | None, entity_type: str | None) -> Scope:
    """By slugs or ids. One that is not there is an error: its prompt would lack what was meant for it."""
    return Scope(
        await _find_agent(tx, agent) if agent else None,
        await _find_type(tx, entity_type) if entity_type else None,
    )


async def _find_agent(tx: Tx, agent: str) -> UUID:
    try:
        found = await agents.find(tx, UUID(agent))
    except ValueError:
        found = await agents.find_by_slug(tx, agent)
    if found is None:
        raise AgentNotFound
    return found.id


async def _find_type(tx: Tx, entity_type: str) -> UUID:
    try:
        found = await types.find_by_id(tx, UUID(entity_type))
    except ValueError:
        found = await types.find(tx, entity_type)
    if found is None:
        raise EntityTypeNotFound
    return found.id


async def load_shared_context_prompt(
    tx: Tx, scope: Scope, task: Task | None = None, user_id: UUID | None = None
) -> SharedContextPrompt:
    """The block of a scope, with what is about a task and what a person wants remembered after what stays."""
    tx.actor.check(KNOWLEDGE_READ)
    return await _load(tx, scope, task, user_id)


async def write_prompt(tx: Tx, scope: Scope) -> WrittenPrompt:
    """The block of a scope alone, for who hands it on."""
    tx.actor.check(KNOWLEDGE_READ)
    head = await store.find_head(tx, scope) or await rebuild(tx, scope)
    return WrittenPrompt(
        prompt=head.body,
        manifest=head.manifest if head.body else None,
        tokens=head.tokens,
        rows=msgspec.Raw(head.included),
        left_out=msgspec.Raw(head.left_out),
    )


async def _load(tx: Tx, scope: Scope, task: Task | None, user_id: UUID | None) -> SharedContextPrompt:
    head = await store.find_head(tx, scope) or await rebuild(tx, scope)
    remembered = await memories.list_for_prompt(tx, user_id) if user_id else []
    chosen = await _for_task(tx, scope, task, head) if task else []
    if remembered or chosen:
        return await _extend(tx, head, remembered, chosen)
    return SharedContextPrompt(
        prompt=head.body,
        manifest=head.manifest if head.body else None,
        tokens=head.tokens,
        rows=head.rows(),
        left_out=head.left_out_rows(),
    )


async def rebuild(tx: Tx, scope: Scope) -> Head:
    """The version is read first: what changes meanwhile makes this one old at once."""
    version = await store.find_version(tx)
    offered = await store.list_candidates(tx, scope, PER_TYPE)
    selection = select(offered)
    counts = await store.count(tx, scope, len(offered))
    manifest = manifest_of([candidate.row for candidate in selection.included])
    included = describe(selection)
    missed = left_out(
        selection,
        in_scope=counts.in_scope,
        elsewhere=counts.elsewhere,
        shadow=counts.shadow,
        offered=len(offered),
    )
    tokens = tokens_of(manifest.body)
    at = await tx.moment()
    await store.add_manifest(tx, manifest, tokens, included, missed, at)
    await store.set_head(tx, scope, version, manifest.hash, included, missed, at)
    written = msgspec.json.encode(included), msgspec.json.encode(missed)
    return Head(manifest.hash, manifest.body, tokens, *written)


async def _for_task(tx: Tx, scope: Scope, task: Task, head: Head) -> list[IncludedRow]:
    included = {row.id for row in head.rows()}
    found = []
    for candidate, vector in await store.list_with_vectors(tx, scope, task.model, MOST_COMPARED):
        cosine = float(np.dot(vector, np.asarray(task.vector)))
        if candidate.row.id not in included and cosine >= TASK_COSINE:
            found.append((cosine, candidate))
    found.sort(key=lambda each: (-each[0], each[1].row.id))
    return [
        IncludedRow(
            id=candidate.row.id,
            type=candidate.row.type,
            content=candidate.row.content,
            context=candidate.row.context,
            rank=candidate.rank,
            tokens=cost_of(candidate.row),
            reason=f"about this task: similarity {cosine:.2f}",
        )
        for cosine, candidate in found[:FOR_TASK]
    ]


async def _extend(
    tx: Tx, head: Head, remembered: Sequence[tuple[UUID, str]], chosen: Sequence[IncludedRow]
) -> SharedContextPrompt:
    rows, missed = head.rows(), head.left_out_rows()
    manifest = manifest_of(_printed(rows), remembered, _printed(chosen))
    tokens = tokens_of(manifest.body)
    included = [*rows, *chosen]
    await store.add_manifest(tx, manifest, tokens, included, missed, await tx.moment())
    return SharedContextPrompt(
        prompt=manifest.body,
        manifest=manifest.hash,
        tokens=tokens,
        rows=included,
        left_out=missed,
    )


def _printed(rows: Sequence[IncludedRow]) -> list[PrintedRow]:
    return [PrintedRow(row.id, row.type, row.content, row.context) for row in rows]


async def load_for_run(tx: Tx, plan: RunPlan) -> Prompt:
    """For a run here, from its first request on: a session that goes on has what it began with."""
    session = plan.session
    if session.manifest is not None:
        found = await store.find_manifest(tx, session.manifest)
        return _prompt(found.body if found else "", session.manifest)
    scope = Scope(session.agent_id, await _type_of(tx, session.entity_id))
    loaded = await _load(tx, scope, None, memories.owner_of(session))
    if loaded.manifest is None:
        return Prompt()
    payload = {
        "rows": len(loaded.rows),
        "tokens": loaded.tokens,
        "left_out": msgspec.to_builtins(loaded.left_out),
    }
    await sessions.set_prompt(tx, plan.claim, loaded.manifest, payload)
    return _prompt(loaded.prompt, loaded.manifest)


def _prompt(body: str, manifest: str) -> Prompt:
    return Prompt(text=body, manifest=manifest, private=memories_in(body))


async def _type_of(tx: Tx, entity_id: UUID | None) -> UUID | None:
    entity = await records.find(tx, entity_id) if entity_id else None
    found = await types.find(tx, entity.type) if entity else None
    return found.id if found else None


class ManifestRow(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a prompt: `rank` and `reason` say why it was in it when the prompt was made first. The rest is what the row is
    now: `changed` is whether it says something else, `type` is null where it is deleted."""

    id: UUID
    name: str
    line: str
    rank: float
    reason: str
    type: KnowledgeType | None
    state: KnowledgeState | None
    origins: int | None
    confirmations: int | None
    last_confirmed_at: datetime | None
    value: MeasuredValue | None
    changed: bool


class ShownManifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a prompt held, word for word; but of what a person wants remembered, only how much it was. `left_out` is what it
    did not hold when it was made first."""

    manifest: str
    prompt: str
    tokens: int
    rows: list[ManifestRow]
    left_out: LeftOutRows
    memories: int
    created_at: datetime


class SessionPrompt(msgspec.Struct, frozen=True, kw_only=True):
    """Why something was in the prompt of a session. `manifest` is null where the session names none, `cited` are the rows that
    it named in what it said."""

    manifest: ShownManifest | None
    cited: list[UUID]


async def show_of_session(tx: Tx, session_id: UUID) -> SessionPrompt:
    tx.actor.check(KNOWLEDGE_READ)
    await recorded.access(tx, session_id)
    found = await store.find_of_session(tx, session_id)
    return SessionPrompt(
        manifest=await _shown(tx, found) if found else None,
        cited=await citation_store.list_of_session(tx, session_id),
    )


async def show_manifest(tx: Tx, manifest: str) -> ShownManifest:
    tx.actor.check(KNOWLEDGE_READ)
    found = await store.find_manifest(tx, manifest)
    if found is None:
        raise ManifestNotFound
    return await _shown(tx, found)


async def _shown(tx: Tx, found: StoredManifest) -> ShownManifest:
    lines = {line[3:].partition("]")[0]: line for line in found.body.splitlines() if line.startswith("- [")}
    present = {row.id: row for row in await store.list_present(tx, found.row_ids)}
    why = {each["id"]: each for each in found.included}
    return ShownManifest(
        manifest=found.hash,
        prompt=without_memories(found.body),
        tokens=found.tokens,
        rows=[
            _row(row_id, row_hash, lines.get(name_of(row_id), ""), why[str(row_id)], present.get(row_id))
            for row_id, row_hash in zip(found.row_ids, found.row_hashes, strict=True)
        ],
        left_out=msgspec.convert(found.left_out, LeftOutRows),
        memories=len(found.memory_ids),
        created_at=found.created_at,
    )


def _row(row_id: UUID, row_hash: str, line: str, why: dict[str, Any], now: PresentRow | None) -> ManifestRow:
    return ManifestRow(
        id=row_id,
        name=name_of(row_id),
        line=line,
        rank=why["rank"],
        reason=why["reason"],
        type=now.type if now else None,
        state=now.state if now else None,
        origins=now.origins if now else None,
        confirmations=now.confirmations if now else None,
        last_confirmed_at=now.last_confirmed_at if now else None,
        value=now.value if now else None,
        changed=now is None or now.hash != row_hash,
    )


async def check_manifest(tx: Tx, event: Event) -> None:
    """A session that begins to be recorded names a prompt that there was."""
    manifest = event.payload.get("manifest")
    if manifest is not None and await store.find_manifest(tx, manifest) is None:
        raise InvalidInput.at("/manifest", "manifest_not_found", ManifestNotFound.title)
