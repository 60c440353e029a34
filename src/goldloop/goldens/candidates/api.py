"""Routes of candidates: `/api/admin/evals/candidates`."""

from typing import Annotated
from uuid import UUID

import msgspec
from litestar import Router, get, patch
from litestar.params import FromQuery, JSONBody

from goldloop.feedback.permissions import FEEDBACK_READ, FEEDBACK_REVIEW
from goldloop.goldens.candidates import service
from goldloop.goldens.candidates.model import CandidateGolden, Resolution
from goldloop.goldens.permissions import EVALS_MANAGE, EVALS_READ
from goldloop.kit.http import Db, Wire, problems
from goldloop.sessions.permissions import SESSIONS_READ
from goldloop.tenants.auth.api import Who, needs

MOST_AT_ONCE = 200  # rows of feedback


class CandidateResolution(Wire, frozen=True, rename="camel"):
    """A candidate with more rows is settled in several steps."""

    feedback_ids: Annotated[list[UUID], msgspec.Meta(min_length=1, max_length=MOST_AT_ONCE)]
    action: Resolution


class Candidates(msgspec.Struct, frozen=True, kw_only=True):
    data: list[CandidateGolden]


class ResolvedCandidate(msgspec.Struct, frozen=True, kw_only=True):
    """How many rows of feedback waited until now."""

    updated: int


@get(
    "/",
    opt=needs(EVALS_READ, FEEDBACK_REVIEW, FEEDBACK_READ, SESSIONS_READ),
    responses=problems(),
    summary="List what users asked where agents did badly",
)
async def list_candidates(db: Db, actor: Who, limit: FromQuery[int] = service.DEFAULT_LIMIT) -> Candidates:
    """Each prompt once for an agent, the most complained of first. `limit` is brought between 1 and 100."""
    async with db.tx(actor) as tx:
        return Candidates(data=await service.list_candidate_goldens(tx, limit))


@patch(
    "/",
    opt=needs(EVALS_MANAGE, FEEDBACK_REVIEW, FEEDBACK_READ),
    responses=problems(body=True),
    summary="Settle the feedback behind a candidate",
)
async def resolve_candidate(data: JSONBody[CandidateResolution], db: Db, actor: Who) -> ResolvedCandidate:
    """Only what waits is settled: of two at once, the second has updated none."""
    async with db.tx(actor) as tx:
        updated = await service.resolve_candidate_group(tx, data.feedback_ids, data.action)
    return ResolvedCandidate(updated=updated)


router = Router(
    "/api/admin/evals/candidates", route_handlers=[list_candidates, resolve_candidate], tags=["evals"]
)
