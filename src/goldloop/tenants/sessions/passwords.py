"""The single place that hashes and checks passwords (argon2id), off the event loop and a few at a time."""

import asyncio
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from goldloop.kit.errors import InvalidInput

MIN_LENGTH = 10
MAX_LENGTH = 200  # argon2 takes any length; a bound keeps a request from costing more than another

_AT_ONCE = asyncio.Semaphore(4)  # each check takes 64 MiB
_hasher = PasswordHasher()


@cache
def _nobody() -> str:
    """A hash that no password matches, so that an unknown address takes as long as a wrong password."""
    return _hasher.hash("\x00 nobody")


def check_new_password(password: str, path: str) -> None:
    if not MIN_LENGTH <= len(password) <= MAX_LENGTH:
        raise InvalidInput.at(
            path, "password_length", f"A password has {MIN_LENGTH} to {MAX_LENGTH} characters"
        )


async def hash_password(password: str) -> str:
    async with _AT_ONCE:
        return await asyncio.to_thread(_hasher.hash, password)


async def verify_password(stored: str | None, password: str) -> bool:
    async with _AT_ONCE:
        return await asyncio.to_thread(_verify, stored, password)


def _verify(stored: str | None, password: str) -> bool:
    try:
        _hasher.verify(stored or _nobody(), password)
    except (VerificationError, InvalidHashError):
        return False
    return stored is not None
