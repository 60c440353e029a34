"""The single place that hashes and checks passwords (argon2id), off the event loop, in threads of
its own and a few at a time: a sign-in waits for nothing but other sign-ins. Infrastructure.

All passwords of one address are hashed with one salt. So a password is looked for among all accounts of an address by
one computation, however many there are, and two accounts that have the same password can be told. The first gets a
salt and parameters of today. A stored hash that cannot be read is no password's.
"""

import asyncio
import base64
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import HashingError
from argon2.low_level import hash_secret

from goldloop.kit.errors import InvalidInput

MIN_LENGTH = 10
MAX_LENGTH = 200  # argon2 takes any length; a bound keeps a request from costing more than another

_THREADS = ThreadPoolExecutor(4, thread_name_prefix="goldloop-passwords")  # each check takes 64 MiB
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


async def hash_password(password: str, stored: Sequence[str] = ()) -> str:
    """The hash of a password for an address, whose other accounts have these hashes."""
    return await asyncio.get_running_loop().run_in_executor(_THREADS, _hash, password, stored)


async def find_password(stored: Sequence[str], password: str) -> int | None:
    """The index of the first hash that the password has. Takes as long when there are no hashes."""
    return await asyncio.get_running_loop().run_in_executor(_THREADS, _find, stored, password)


def _hash(password: str, stored: Sequence[str]) -> str:
    alike = (_hash_like(password, each) for each in stored)
    return next((hashed for hashed in alike if hashed), None) or _hasher.hash(password)


def _find(stored: Sequence[str], password: str) -> int | None:
    by_salt = {_salted(each): each for each in stored}  # one, but for what cannot be read
    hashes = {_hash_like(password, each) for each in by_salt.values()} - {None}
    if not hashes:
        _hash_like(password, _nobody())
    return next((place for place, each in enumerate(stored) if each in hashes), None)


def _salted(stored: str) -> str:
    """A hash without what depends on the password: its parameters and its salt."""
    return stored.rpartition("$")[0]


def _hash_like(password: str, stored: str) -> str | None:
    """With the parameters and the salt of a stored hash; None when it cannot be read."""
    try:
        used, salt = extract_parameters(stored), _salted(stored).rpartition("$")[2]
        return hash_secret(
            password.encode(),
            base64.b64decode(salt + "=" * (-len(salt) % 4)),
            time_cost=used.time_cost,
            memory_cost=used.memory_cost,
            parallelism=used.parallelism,
            hash_len=used.hash_len,
            type=used.type,
            version=used.version,
        ).decode()
    except (ValueError, HashingError):
        return None
