"""Routes of proposals: `/api/admin/shared-context/proposals`, and strengthening what is there."""

from uuid import UUID

import msgspec
from litestar import Router, post
from litestar.params import JSONBody

from goldloop.feedback.model import GroupNotFound
from goldloop.feedback.permissions import FEEDBACK_REVIEW
from goldloop.kit.http import Db, PathId, Wire, problems
from goldloop.knowledge.model import (
    NothingProposed,
    NotInThisState,
    ParticularsDiffer,
    SharedContext,
    SharedContextNotFound,
)
from goldloop.knowledge.permissions import KNOWLEDGE_MANAGE
from goldloop.knowledge.proposals import service
from goldloop.tenants.auth.api import Who, needs


class OfGroup(Wire, frozen=True):
    group_id: UUID


class StrengtheningGroup(Wire, frozen=True):
    """`anyway` also where the group names other numbers or names than a correction."""

    group_id: UUID
    anyway: bool = False


class Proposed(msgspec.Struct, frozen=True, kw_only=True):
    """`proposal` is null where there is nothing to propose; `why` says why, and `covered_by` is the row that speaks for the
    group already."""

    proposal: SharedContext | None
    why: NothingProposed | None
    covered_by: UUID | None


@post(
    "/proposals",
    status_code=200,
    opt=needs(KNOWLEDGE_MANAGE, FEEDBACK_REVIEW),
    responses=problems(GroupNotFound, body=True),
    summary="Propose knowledge from a group of feedback, without a model",
)
async def propose_shared_context(data: JSONBody[OfGroup], db: Db, actor: Who) -> Proposed:
    """The same again answers with what waits already."""
    async with db.tx(actor) as tx:
        done = await service.propose(tx, data.group_id)
    return Proposed(proposal=done.row, why=done.why, covered_by=done.covered_by)


@post(
    "/{row_id:uuid}/strengthen",
    status_code=200,
    opt=needs(KNOWLEDGE_MANAGE, FEEDBACK_REVIEW),
    responses=problems(SharedContextNotFound, GroupNotFound, NotInThisState, ParticularsDiffer, body=True),
    summary="Let knowledge rest on a group of feedback as well",
)
async def strengthen_shared_context(
    row_id: PathId, data: JSONBody[StrengtheningGroup], db: Db, actor: Who
) -> SharedContext:
    async with db.tx(actor) as tx:
        return await service.strengthen(tx, row_id, data.group_id, data.anyway)


router = Router(
    "/api/admin/shared-context",
    route_handlers=[propose_shared_context, strengthen_shared_context],
    tags=["knowledge"],
)
