"""Keys of runs: an agent that is called elsewhere may use the tools of its run while that goes on. Pure."""

from uuid import UUID

import msgspec

from goldloop.kit import signed_tokens
from goldloop.runtimes.model import RunPlan

LONGER = 60  # seconds beyond the run's own limit: clocks differ, and the run's end ends the key anyway


class RunGrant(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """The tools of one run, for as long as whoever claimed it works on it, and not beyond `expires`."""

    tenant_id: UUID
    tenant: str
    session_id: UUID
    agent_id: UUID
    claim: int
    expires: int  # seconds since 1970


RUN_KEY = signed_tokens.register(
    signed_tokens.TokenKind(
        name="run key",
        prefix="glr_",
        purpose="goldloop run key v1",
        opens="/api/tools and /mcp, while its run goes on",
        grant=RunGrant,
    )
)


def grant_of(plan: RunPlan, now: float) -> RunGrant:
    """`now` in seconds since 1970."""
    assert plan.session.agent_id is not None
    return RunGrant(
        tenant_id=plan.actor.tenant_id,
        tenant=plan.tenant,
        session_id=plan.session.id,
        agent_id=plan.session.agent_id,
        claim=plan.claim.number,
        expires=int(now) + plan.config.limits.seconds + LONGER,
    )
