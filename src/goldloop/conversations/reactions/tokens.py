"""Reaction tokens (`feedback-token` on the wire): a browser without a key may react to one turn, as one end user, for a short time. Pure.

A token is what it allows, signed with the installation's secret; nothing is stored. It ends by its time only.
"""

import base64
import binascii
import hashlib
import hmac
from datetime import UTC, datetime
from uuid import UUID

import msgspec

PREFIX = "glf_"
DEFAULT_SECONDS = 3600
LONGEST_SECONDS = 86_400

_PURPOSE = b"goldloop feedback token v1:"


class Grant(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """One turn, one end user, until `expires`; what is written is written in the issuer's name."""

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


def sign(grant: Grant, secret: bytes) -> str:
    body = _text(msgspec.json.encode(grant))
    return f"{PREFIX}{body}.{_text(_signature(body, secret))}"


def read(token: str, secret: bytes, now: datetime) -> Grant | None:
    """None for what was not signed here, was changed, or has expired."""
    body, dot, signature = token.removeprefix(PREFIX).partition(".")
    if not token.startswith(PREFIX) or not dot:
        return None
    try:
        sent = base64.b64decode(_padded(signature), altchars=b"-_", validate=True)
        if not hmac.compare_digest(sent, _signature(body, secret)):
            return None
        grant = msgspec.json.decode(
            base64.b64decode(_padded(body), altchars=b"-_", validate=True), type=Grant
        )
    except (binascii.Error, ValueError, msgspec.MsgspecError):
        return None
    return grant if datetime.fromtimestamp(grant.expires, UTC) > now else None


def _signature(body: str, secret: bytes) -> bytes:
    return hmac.new(secret, _PURPOSE + body.encode(), hashlib.sha256).digest()


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _padded(text: str) -> str:
    return text + "=" * (-len(text) % 4)
