"""Signatures as Standard Webhooks has them, version 1: HMAC-SHA256 over id, time and body. Pure."""

import base64
import hashlib
import hmac
from collections.abc import Sequence

PREFIX = "whsec_"
SECRET_BYTES = 32  # between the 24 and 64 that the standard asks for


def secret_of(random: bytes) -> str:
    """A secret as receivers are given it."""
    return PREFIX + base64.b64encode(random).decode()


def signature(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(PREFIX))
    signed = f"{message_id}.{timestamp}.".encode() + body
    return f"v1,{base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()}"


def signed_headers(secrets: Sequence[str], message_id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """With each of the secrets: a receiver that knows one of them is content."""
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(signature(secret, message_id, timestamp, body) for secret in secrets),
    }
