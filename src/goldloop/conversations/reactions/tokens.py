"""Reaction tokens (`feedback-token` on the wire): a browser without a key may react to one turn, as one end user, for a short time. Pure.

It ends by its time only.
"""

from uuid import UUID

import msgspec

from goldloop.kit import signed_tokens

DEFAULT_SECONDS = 3600
LONGEST_SECONDS = 86_400


class Grant(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """One turn, one end user, until `expires`; what is written is written in the issuer's name. Pages read from it by place
    which turn it is for (`clients/js/src/feedback.ts`)."""

    tenant_id: UUID
    tenant: str
    project: str
    conversation_id: str
    turn_id: str
    end_user: str
    expires: int  # seconds since 1970
    issuer_kind: str
    issuer_id: UUID | None

    def is_for(self, tenant: str, project: str, conversation_id: str, turn_id: str) -> bool:
        wanted = (tenant, project, conversation_id, turn_id)
        return wanted == (self.tenant, self.project, self.conversation_id, self.turn_id)


REACTION_TOKEN = signed_tokens.register(
    signed_tokens.TokenKind(
        name="feedback token",
        prefix="glf_",
        purpose="goldloop feedback token v1",
        opens="the feedback of one turn",
        grant=Grant,
    )
)
