"""Hashes of passwords: one salt for an address, so that one computation answers for all its accounts."""

from collections.abc import Callable
from typing import Any

import argon2.low_level
import pytest

from goldloop.tenants.sign_in import passwords
from goldloop.tenants.sign_in.passwords import find_password, hash_password

pytestmark = pytest.mark.slow  # hashing is slow on purpose


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The passwords that argon2 was run on, to look for them."""
    seen: list[bytes] = []
    run: Callable[..., bytes] = argon2.low_level.hash_secret

    def counted(secret: bytes, *salt: bytes, **options: Any) -> bytes:
        seen.append(secret)
        return run(secret, *salt, **options)

    monkeypatch.setattr(passwords, "hash_secret", counted)
    return seen


async def make(*chosen: str) -> list[str]:
    hashes: list[str] = []
    for each in chosen:
        hashes.append(await hash_password(each, hashes))
    return hashes


@pytest.mark.parametrize("password", ["first", "second", "third", "none", "fïrst", ""])
@pytest.mark.parametrize("chosen", [[], ["first"], ["first", "second", "third"]])
async def test_a_password_is_found_among_all_of_an_address_by_one_computation(
    chosen: list[str], password: str, computed: list[bytes]
) -> None:
    stored = await make(*chosen)
    computed.clear()
    place = await find_password(stored, password)
    assert place == (chosen.index(password) if password in chosen else None)
    assert computed == [password.encode()]


async def test_addresses_have_salts_of_their_own_and_an_address_has_one() -> None:
    (one,), (another,) = await make("same"), await make("same")
    assert one != another
    first, second = await make("same", "same")
    assert first == second


async def test_two_salts_of_an_address_are_both_looked_through() -> None:
    stored = [*(await make("first")), *(await make("second"))]
    assert [await find_password(stored, each) for each in ("first", "second", "third")] == [0, 1, None]
