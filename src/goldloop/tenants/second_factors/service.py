"""Use cases: a second factor for a password is begun, confirmed, asked for and taken away."""

import os
from typing import Any, NamedTuple
from urllib.parse import quote
from uuid import UUID

from goldloop.kit.clock import now
from goldloop.kit.errors import InvalidInput
from goldloop.kit.ids import secret_hash
from goldloop.kit.sealing import CannotUnseal, Sealer
from goldloop.tenants.model import NoSecondFactor, SecondFactorExists, SecondFactorNeeded
from goldloop.tenants.second_factors import recovery, store, totp
from goldloop.tenants.second_factors.qr import qr_rows

_ISSUER = "Goldloop"  # as an app shows it
_PLACE = "second factor"  # not of one account: two that become one keep it


class Enrolment(NamedTuple):
    secret: str
    uri: str
    qr: list[str]


async def begin(connection: Any, sealer: Sealer, session: bytes, email: str) -> Enrolment:
    """A secret for the app of whoever is signed in; it counts when a first code of it was right."""
    secret = os.urandom(totp.SECRET_BYTES)
    if not await store.begin(connection, session, sealer.seal(totp.secret_text(secret), _PLACE)):
        raise SecondFactorExists
    uri = _app_uri(secret, email)
    return Enrolment(totp.secret_text(secret), uri, qr_rows(uri))


async def confirm(connection: Any, sealer: Sealer, account_id: UUID, code: str) -> list[str]:
    """The first code: from now on the password needs one. Returns recovery codes, which are shown once."""
    found = await store.find(connection, account_id)
    if found is None:
        raise NoSecondFactor
    if found["is_confirmed"]:
        raise SecondFactorExists
    if not await _is_code(connection, sealer, account_id, found, code):
        raise _wrong_code()
    return await renew_recovery_codes(connection, account_id)


async def check(connection: Any, sealer: Sealer, account_id: UUID, code: str | None) -> None:
    """Whether who gave the password of an account also has its second factor, where it has one; the code is used up."""
    found = await store.find(connection, account_id)
    if found is None or not found["is_confirmed"]:
        return
    if not code:
        raise SecondFactorNeeded
    if await _is_code(connection, sealer, account_id, found, code):
        return
    if not await store.use_recovery_code(connection, account_id, _recovery_hash(code)):
        raise _wrong_code()


async def check_own(connection: Any, sealer: Sealer, account_id: UUID, code: str) -> None:
    """The same for an account that must have one."""
    found = await store.find(connection, account_id)
    if found is None or not found["is_confirmed"]:
        raise NoSecondFactor
    await check(connection, sealer, account_id, code)


async def renew_recovery_codes(connection: Any, account_id: UUID) -> list[str]:
    codes = [recovery.written(os.urandom(recovery.CODE_BYTES)) for _ in range(recovery.COUNT)]
    await store.set_recovery_codes(connection, account_id, [_recovery_hash(code) for code in codes])
    return codes


async def remove(connection: Any, account_id: UUID) -> None:
    await store.remove(connection, account_id)


async def _is_code(connection: Any, sealer: Sealer, account_id: UUID, found: Any, code: str) -> bool:
    try:
        secret = totp.secret_bytes(sealer.unseal(found["secret"], _PLACE))
    except CannotUnseal:  # the installation's secret key was changed: recovery codes still work
        return False
    step = totp.find_step(secret, recovery.plain(code), now(), found["last_step"])
    return step is not None and await store.use_code(connection, account_id, step)


def _recovery_hash(code: str) -> bytes:
    return secret_hash(f"recovery:{recovery.plain(code)}")


def _app_uri(secret: bytes, email: str) -> str:
    """What an app reads from a QR code."""
    named = quote(email, safe="")
    return f"otpauth://totp/{_ISSUER}:{named}?secret={totp.secret_text(secret)}&issuer={_ISSUER}"


def _wrong_code() -> InvalidInput:
    return InvalidInput.at("/code", "wrong_code", "This code is not right, or was used already")
