"""Codes that follow from a secret and the time (RFC 6238), as every authenticator app makes them. Pure."""

import base64
import hashlib
import hmac
from datetime import datetime

STEP_SECONDS = 30
DIGITS = 6
STEPS_AROUND = 1  # a clock may be half a minute off, and a person slow
SECRET_BYTES = 20  # as long as what SHA-1 gives (RFC 4226, section 4)


def step_at(at: datetime) -> int:
    return int(at.timestamp()) // STEP_SECONDS


def code_of(secret: bytes, step: int) -> str:
    digest = hmac.new(secret, step.to_bytes(8, "big"), hashlib.sha1).digest()
    place = digest[-1] & 0xF
    number = int.from_bytes(digest[place : place + 4], "big") & 0x7FFF_FFFF
    return f"{number % 10**DIGITS:0{DIGITS}}"


def find_step(secret: bytes, code: str, at: datetime, last_step: int) -> int | None:
    """The step that a code is of, among those around a moment and after the last that was used; None for none of them."""
    now = step_at(at)
    around = range(max(now - STEPS_AROUND, last_step + 1), now + STEPS_AROUND + 1)
    right = [step for step in around if hmac.compare_digest(code_of(secret, step).encode(), code.encode())]
    return right[0] if right else None


def secret_text(secret: bytes) -> str:
    """As a person types it into an app."""
    return base64.b32encode(secret).decode().rstrip("=")


def secret_bytes(text: str) -> bytes:
    return base64.b32decode(text + "=" * (-len(text) % 8))
