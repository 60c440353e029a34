"""The single place where secrets that must be read again (keys of models, of agents elsewhere) are encrypted for the database.

AES-256-GCM under a key derived from the installation's secret, bound to what the secret is for: a sealed value that is
copied into another row does not open there. Pure but for the nonce.
"""

import hashlib
import os
from functools import cached_property

from goldloop.kit.at_first_use import aead, crypto_errors

_PURPOSE = b"goldloop sealed secret v1:"
_FORMAT = b"\x01"
_NONCE_BYTES = 12  # what GCM takes


class CannotUnseal(Exception):
    """Sealed with another key, for another place, or damaged."""


class Sealer:
    def __init__(self, secret: bytes) -> None:
        self._key = hashlib.sha256(_PURPOSE + secret).digest()

    @cached_property
    def _cipher(self) -> "aead.AESGCM":
        return aead.AESGCM(self._key)

    def seal(self, text: str, place: str) -> bytes:
        """`place` says what the secret is for; only with the same is it opened."""
        nonce = os.urandom(_NONCE_BYTES)
        return _FORMAT + nonce + self._cipher.encrypt(nonce, text.encode(), place.encode())

    def unseal(self, sealed: bytes, place: str) -> str:
        head, nonce, rest = sealed[:1], sealed[1 : 1 + _NONCE_BYTES], sealed[1 + _NONCE_BYTES :]
        if head != _FORMAT:
            raise CannotUnseal("It has no format that is known here")
        try:
            return self._cipher.decrypt(nonce, rest, place.encode()).decode()
        except (crypto_errors.InvalidTag, ValueError) as error:
            raise CannotUnseal("It was sealed with another key or for another place") from error
