"""Secrets that must be read again: sealed for one place, opened only there and with the same key."""

import pytest

from goldloop.kit.sealing import CannotUnseal, Sealer


def test_what_was_sealed_is_opened_for_the_same_place_and_with_the_same_key() -> None:
    sealed = Sealer(b"k").seal("sk-äöü-123", "here")
    assert b"123" not in sealed
    assert Sealer(b"k").unseal(sealed, "here") == "sk-äöü-123"


def test_the_same_secret_never_looks_the_same_twice() -> None:
    sealer = Sealer(b"k")
    assert sealer.seal("secret", "here") != sealer.seal("secret", "here")


@pytest.mark.parametrize(
    ("key", "place", "change"),
    [
        (b"another", "here", lambda sealed: sealed),
        (b"k", "there", lambda sealed: sealed),
        (b"k", "here", lambda sealed: sealed[:-1] + bytes([sealed[-1] ^ 1])),
        (b"k", "here", lambda sealed: b"\x02" + sealed[1:]),
        (b"k", "here", lambda sealed: sealed[:5]),
        (b"k", "here", lambda sealed: b""),
    ],
    ids=["another key", "another place", "damaged", "unknown format", "cut", "empty"],
)
def test_it_is_not_opened_otherwise(key: bytes, place: str, change) -> None:  # type: ignore[no-untyped-def]
    sealed = change(Sealer(b"k").seal("secret", "here"))
    with pytest.raises(CannotUnseal):
        Sealer(key).unseal(sealed, place)
