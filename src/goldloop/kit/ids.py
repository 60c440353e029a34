"""The single source of new ids and secrets."""

import hashlib
import os
import random
import secrets
import time
from uuid import UUID

SECRET_BYTES = 32  # 256 bits: too many to guess, so a plain sha256 is enough to store


def new_id() -> UUID:
    """A UUIDv7: sorts by creation time, so an index on it grows at one end."""
    return id_at(time.time_ns() // 1_000_000, os.urandom(10))


def id_at(milliseconds: int, tail: bytes) -> UUID:
    """The UUIDv7 of a moment since 1970; `tail` is ten bytes that tell it from others of that moment."""
    value = (milliseconds & 0xFFFF_FFFF_FFFF) << 80 | int.from_bytes(tail, "big")
    value = value & ~(0xF << 76) | 0x7 << 76  # version 7
    value = value & ~(0x3 << 62) | 0x2 << 62  # RFC 9562 variant
    return UUID(int=value)


def new_text_id() -> str:
    """The text of a UUIDv7 by which something is found again, in a log: nothing depends on nobody guessing it."""
    digits = f"{time.time_ns() // 1_000_000:012x}7{random.getrandbits(76):019x}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{_VARIANT[digits[16]]}{digits[17:20]}-{digits[20:]}"


_VARIANT = {digit: "89ab"[int(digit, 16) % 4] for digit in "0123456789abcdef"}  # of RFC 9562


def new_secret(prefix: str = "") -> str:
    return prefix + secrets.token_urlsafe(SECRET_BYTES)


def secret_hash(secret: str) -> bytes:
    """What is stored in place of a secret with at least 128 random bits (never of a password)."""
    return hashlib.sha256(secret.encode()).digest()


def new_bytes(count: int) -> bytes:
    """For a key that somebody else has to have as well."""
    return secrets.token_bytes(count)
