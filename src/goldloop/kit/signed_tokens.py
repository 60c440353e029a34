"""The single source of tokens that say what they allow and are signed with the installation's secret; nothing is stored. Pure.

A kind of token has a prefix of its own, by which it is told from API keys, and a type that says what it allows.
"""

import base64
import binascii
import hashlib
import hmac
from dataclasses import dataclass, field
from datetime import datetime
from typing import Generic, Protocol, TypeVar

import msgspec


class Grant(Protocol):
    """What a token allows, and until when, in seconds since 1970."""

    @property
    def expires(self) -> int: ...


G = TypeVar("G", bound=Grant)


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenKind(Generic[G]):
    """`purpose` is signed with each, so that no token passes for one of another kind; `opens` says where it is taken."""

    name: str
    prefix: str
    purpose: str
    opens: str
    grant: type[G]

    def sign(self, grant: G, secret: bytes) -> str:
        body = _text(msgspec.json.encode(grant))
        return f"{self.prefix}{body}.{_text(self._signature(body, secret))}"

    def read(self, token: str, secret: bytes, now: datetime) -> G | None:
        """None for what was not signed here, was changed, or has expired."""
        body, dot, signature = token.removeprefix(self.prefix).partition(".")
        if not token.startswith(self.prefix) or not dot:
            return None
        try:
            sent = base64.b64decode(_padded(signature), altchars=b"-_", validate=True)
            if not hmac.compare_digest(sent, self._signature(body, secret)):
                return None
            decoded = base64.b64decode(_padded(body), altchars=b"-_", validate=True)
            grant = msgspec.json.decode(decoded, type=self.grant)
        except (binascii.Error, ValueError, msgspec.MsgspecError):
            return None
        return grant if grant.expires > now.timestamp() else None

    def _signature(self, body: str, secret: bytes) -> bytes:
        return hmac.new(secret, f"{self.purpose}:{body}".encode(), hashlib.sha256).digest()


@dataclass(frozen=True, slots=True)
class Signer:
    """Makes tokens with the installation's secret, which it does not show."""

    _secret: bytes = field(repr=False)

    def sign(self, kind: TokenKind[G], grant: G) -> str:
        return kind.sign(grant, self._secret)


KINDS: list[TokenKind[Grant]] = []


def register(kind: TokenKind[G]) -> TokenKind[G]:
    KINDS.append(kind)  # type: ignore[arg-type]
    return kind


def find_kind(token: str) -> TokenKind[Grant] | None:
    return next((kind for kind in KINDS if token.startswith(kind.prefix)), None)


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _padded(text: str) -> str:
    return text + "=" * (-len(text) % 4)
