"""Routes of the block that prompts carry, `/api/shared-context`, and of what knowledge does to it."""

from typing import Annotated, Literal, cast
from uuid import UUID

import msgspec
from litestar import Router, get, post
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter
from msgspec import UNSET, UnsetType

from goldloop.entities.model import EntityTypeNotFound
from goldloop.kit.db import Actor, ActorKind, Database
from goldloop.kit.http import KEEPS_COMPUTED, Db, PathId, Ports, Wire, problems
from goldloop.kit.outside import Outside
from goldloop.kit.pagination import DEFAULT_LIMIT, MAX_LIMIT, Page
from goldloop.kit.parameters import Cursor, Limit
from goldloop.knowledge.model import (
    CONTENT_CHARACTERS,
    CONTEXT_CHARACTERS,
    KnowledgeState,
    KnowledgeType,
    ManifestNotFound,
    SharedContextNotFound,
)
from goldloop.knowledge.permissions import KNOWLEDGE_MANAGE, KNOWLEDGE_READ
from goldloop.knowledge.prompts import service, use_service
from goldloop.knowledge.prompts.service import SessionPrompt, SharedContextPrompt, ShownManifest, Task
from goldloop.knowledge.prompts.use_service import KnowledgeUses, PromptChange, SessionWithRow
from goldloop.sessions.model import SessionNotFound
from goldloop.sessions.permissions import SESSIONS_READ
from goldloop.tenants.auth.api import Who, needs
from goldloop.tenants.model import AgentNotFound

Named = Annotated[str | None, QueryParameter(min_length=1, max_length=200)]


@get(
    "/prompt",
    opt=needs(KNOWLEDGE_READ) | KEEPS_COMPUTED,
    responses=problems(AgentNotFound, EntityTypeNotFound),
    summary="What a workspace has learnt, as a prompt has it",
)
async def load_shared_context_prompt(
    db: Db,
    actor: Who,
    outside: Ports,
    agent: Named = None,
    entity_type: Named = None,
    task: Annotated[str | None, QueryParameter(max_length=4000)] = None,
    memories: FromQuery[bool] = False,
) -> SharedContextPrompt:
    """`agent` and `entity_type` are slugs or ids. `task` are the words of what is to be done: up to three rows about it come
    after what stays. `memories` adds what the caller wants remembered. Put `prompt` into the instructions of an agent, and
    name `manifest` in its session."""
    if memories or (task and task.strip()):
        return await load(db, actor, outside, agent, entity_type, task, memories=memories)
    async with db.tx(actor) as tx:
        scope = await service.resolve_scope(tx, agent, entity_type)
        return cast("SharedContextPrompt", await service.write_prompt(tx, scope))  # the same JSON


async def load(
    db: Database,
    actor: Actor,
    outside: Outside,
    agent: str | None,
    entity_type: str | None,
    task: str | None,
    *,
    memories: bool = False,
) -> SharedContextPrompt:
    """For whoever asks, by whichever protocol."""
    about = None
    if task and task.strip():
        made = await outside.embedder.embed([task])
        about = Task(made.model, made.vectors[0])
    user_id = actor.id if memories and actor.kind is ActorKind.USER else None
    async with db.tx(actor) as tx:
        scope = await service.resolve_scope(tx, agent, entity_type)
        return await service.load_shared_context_prompt(tx, scope, about, user_id)


@get(
    "/manifests/{manifest:str}",
    opt=needs(KNOWLEDGE_READ),
    responses=problems(ManifestNotFound),
    summary="What a prompt held",
)
async def show_prompt_manifest(manifest: FromPath[str], db: Db, actor: Who) -> ShownManifest:
    async with db.tx(actor) as tx:
        return await service.show_manifest(tx, manifest)


@get(
    "/{session_id:uuid}/shared-context",
    opt=needs(KNOWLEDGE_READ, SESSIONS_READ),
    responses=problems(SessionNotFound),
    summary="Why something was in the prompt of a session",
)
async def show_prompt_of_session(session_id: PathId, db: Db, actor: Who) -> SessionPrompt:
    """Each line with its row and the reason, what was left out and by which rule, and which rows the session cited."""
    async with db.tx(actor) as tx:
        return await service.show_of_session(tx, session_id)


class KnowledgePreview(Wire, frozen=True):
    """What would be changed: the state that somebody gives it, its words, its type, where it holds."""

    state: Literal["shadow", "active", "retired", "rejected"] | None = None
    type: KnowledgeType | UnsetType = UNSET
    content: Annotated[str, msgspec.Meta(min_length=1, max_length=CONTENT_CHARACTERS)] | UnsetType = UNSET
    context: Annotated[str, msgspec.Meta(max_length=CONTEXT_CHARACTERS)] | UnsetType | None = UNSET
    agent_id: UUID | UnsetType | None = UNSET
    entity_type_id: UUID | UnsetType | None = UNSET
    pinned: bool | UnsetType = UNSET


@post(
    "/{row_id:uuid}/diff",
    status_code=200,
    opt=needs(KNOWLEDGE_MANAGE),
    responses=problems(SharedContextNotFound, AgentNotFound, EntityTypeNotFound, body=True),
    summary="What a change of knowledge does to prompts",
)
async def preview_shared_context(
    row_id: PathId, data: JSONBody[KnowledgePreview], db: Db, actor: Who
) -> PromptChange:
    """Nothing is changed. The lines that come and go in each scope, the tokens, and from which line on caches are made anew."""
    named = (name for name in data.__struct_fields__ if name != "state")
    changes = {name: value for name in named if (value := getattr(data, name)) is not UNSET}
    decided = KnowledgeState(data.state) if data.state else None
    async with db.tx(actor) as tx:
        return await use_service.preview(tx, row_id, decided, changes)


@get(
    "/{row_id:uuid}/sessions",
    opt=needs(KNOWLEDGE_MANAGE),
    responses=problems(SharedContextNotFound),
    summary="Sessions that had it in their prompts, and what they wrote",
)
async def list_sessions_with_row(
    row_id: PathId, db: Db, actor: Who, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None
) -> Page[SessionWithRow]:
    async with db.tx(actor) as tx:
        return await use_service.list_sessions(tx, row_id, cursor, limit)


class SomeRows(Wire, frozen=True):
    ids: Annotated[list[UUID], msgspec.Meta(min_length=1, max_length=MAX_LIMIT)]


@post(
    "/uses",
    status_code=200,
    opt=needs(KNOWLEDGE_MANAGE),
    responses=problems(body=True),
    summary="In how many prompts some knowledge was this week",
)
async def count_uses(data: JSONBody[SomeRows], db: Db, actor: Who) -> KnowledgeUses:
    """Of each row, how many sessions of the last seven days had it in their prompts; a count ends at 1,000."""
    async with db.tx(actor) as tx:
        return await use_service.count_uses(tx, data.ids)


router = Router(
    "/api",
    route_handlers=[
        Router("/shared-context", route_handlers=[load_shared_context_prompt, show_prompt_manifest]),
        Router("/sessions", route_handlers=[show_prompt_of_session]),
        Router(
            "/admin/shared-context",
            route_handlers=[preview_shared_context, count_uses, list_sessions_with_row],
        ),
    ],
    tags=["knowledge"],
)
